import CounterfoilFuzzTargets
import Foundation

// What libFuzzer links with: it calls the first function once and the second for each input.
//
// COUNTERFOIL_FUZZ_TARGET     the name of the target
// COUNTERFOIL_FUZZ_ISSUED     folders of authorities to believe, separated by colons
// COUNTERFOIL_FUZZ_SEEDS      a folder to write `issued` and `real` seeds to, instead of fuzzing

private let environment = ProcessInfo.processInfo.environment

private let target: FuzzTarget = {
    let folders = (environment["COUNTERFOIL_FUZZ_ISSUED"] ?? "").split(separator: ":")
    let name = environment["COUNTERFOIL_FUZZ_TARGET"] ?? ""
    if name == FuzzTarget.canary.name { return .canary }
    do {
        let issued = try IssuedDocuments(folders: folders.map { URL(fileURLWithPath: String($0)) })
        guard let target = FuzzTarget.all(issued).first(where: { $0.name == name }) else {
            leave("there is no target \"\(name)\"")
        }
        return target
    } catch {
        leave("the authorities cannot be read: \(error)")
    }
}()

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
) -> CInt {
    guard let folder = environment["COUNTERFOIL_FUZZ_SEEDS"] else {
        _ = target
        return 0
    }
    do {
        let folder = URL(fileURLWithPath: folder)
        try FuzzSeeds.writeIssued(to: folder.appendingPathComponent("issued"))
        try FuzzSeeds.writeReal(to: folder.appendingPathComponent("real"))
    } catch {
        leave("seeds cannot be written: \(error)")
    }
    exit(0)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count <= target.longestInput else { return -1 }
    do {
        try target.check(Array(UnsafeBufferPointer(start: data, count: count)))
    } catch {
        fatalError("\(target.name): \(error)")
    }
    return 0
}

private func leave(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("\(reason)\n".utf8))
    exit(2)
}
