import CSQLiteFaults
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Journal
import RecordTestSupport
import Testing

extension StorageFaultTests {
    @Test(
        "When the power goes, what was told to be kept is there, whatever else reached the disk"
    )
    func powerLoss() async throws {
        let folder = try Folder()
        let path = folder.path("journal.db")
        let learnings = try await JournalSample.learnings(Soak.size(45, soak: 240))
        var kept: [(learning: Learning, position: Position, deeds: Int)] = []
        counterfoil_deeds_begin()
        for session in learnings.parts(of: 15) {
            try await JournalSample.withJournal(in: path, options: FaultyDisk.options) { journal in
                for (number, learning) in session.enumerated() {
                    let committed = try await journal.writer.learn(learning)
                    kept.append((learning, committed.position, counterfoil_deeds_count()))
                    if number == 7 { FaultyDisk.carryOver(path) }
                }
            }
        }
        let count = counterfoil_deeds_count()
        var random = SeededRandom(seed: 3)
        var moments = Set(
            (0..<Soak.size(25, soak: 1_000)).map { _ in Int.random(in: 0...count, using: &random) }
        )
        // Directly after something was told to be kept, nothing else has brought it to the disk.
        moments.formUnion(
            kept.map(\.deeds).shuffled(using: &random).prefix(Soak.size(15, soak: 240))
        )
        var disk = DiskWithoutPower()
        for moment in 0...count {
            if moments.contains(moment) {
                let after = try Folder()
                for (name, bytes) in disk.files(using: &random) { try after.write(name, bytes) }
                let told = kept.filter { $0.deeds <= moment }.map { ($0.learning, $0.position) }
                try await JournalSample.expectWhole(
                    after.path("journal.db"),
                    holding: told.suffix(20),
                    "after deed \(moment) of \(count)"
                )
            }
            if moment < count { disk.take(counterfoil_deed_at(moment)) }
        }
    }
}

/// What a disk holds when the power goes: all that was synchronized, and of the rest by chance some
/// writes, whole or in part.
private struct DiskWithoutPower {
    private var durable: [String: [UInt8]] = [:]
    private var pending: [String: [Deed]] = [:]

    /// A change of a file.
    private enum Deed {
        case write(at: Int, [UInt8])
        case truncate(Int)

        func apply(to file: inout [UInt8]) {
            switch self {
            case .write(let offset, let bytes):
                let end = offset + bytes.count
                if file.count < end { file += Array(repeating: 0, count: end - file.count) }
                file.replaceSubrange(offset..<end, with: bytes)
            case .truncate(let size): file.removeLast(max(0, file.count - size))
            }
        }
    }

    mutating func take(_ deed: counterfoil_deed) {
        let name = withUnsafeBytes(of: deed.name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        switch Int(deed.kind) {
        case COUNTERFOIL_WRITE:
            let bytes = Array(UnsafeBufferPointer(start: deed.bytes, count: deed.count))
            pending[name, default: []].append(.write(at: deed.offset, bytes))
        case COUNTERFOIL_TRUNCATE: pending[name, default: []].append(.truncate(deed.offset))
        case COUNTERFOIL_DELETE:
            pending[name] = nil
            durable[name] = nil
        default:
            for deed in pending[name] ?? [] { deed.apply(to: &durable[name, default: []]) }
            pending[name] = nil
        }
    }

    func files(using random: inout SeededRandom) -> [String: [UInt8]] {
        var files = durable
        for (name, deeds) in pending {
            for deed in deeds where Bool.random(using: &random) {
                var deed = deed
                if case .write(let offset, let bytes) = deed,
                    Int.random(in: 0..<4, using: &random) == 0
                {
                    deed = .write(at: offset, Array(bytes.prefix(bytes.count / 1024 * 512)))
                }
                deed.apply(to: &files[name, default: []])
            }
        }
        return files
    }
}

extension Array {
    /// The elements in their order, so many at a time.
    fileprivate func parts(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
