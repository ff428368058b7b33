import CounterfoilFuzzTargets
import Foundation
import Testing

/// Every input that fuzzing found worth keeping, through the same functions.
@Suite("Kept inputs of fuzzing")
struct FuzzCorpusTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("FuzzCorpus")

    static let targets: [FuzzTarget] = {
        let authority = folder.appendingPathComponent("authority")
        do {
            return FuzzTarget.all(try IssuedDocuments(folders: [authority]))
        } catch {
            Issue.record("the authority of the kept inputs cannot be read: \(error)")
            return []
        }
    }()

    static func inputs(_ target: FuzzTarget) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent(target.name),
            includingPropertiesForKeys: nil
        )
    }

    @Test("Each of them is read without a contradiction", arguments: targets.map(\.name))
    func replay(name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        let files = try Self.inputs(target)
        #expect(files.count > 4, "the inputs of \(name) are missing")
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            do {
                try target.check(bytes)
            } catch {
                Issue.record("\(name)/\(file.lastPathComponent): \(error)")
            }
        }
    }

    @Test("Every folder is a target's, and all of them together are small")
    func folders() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(Self.targets.map(\.name) + ["authority"]))
        var size = 0
        for target in Self.targets {
            for file in try Self.inputs(target) { size += try Data(contentsOf: file).count }
        }
        #expect(size < 1 << 20)
    }

    @Test(
        "Some inputs of the doors are proved, so that a forgery would be told from them",
        arguments: ["verifier", "jws", "ocsp"]
    )
    func proved(name: String) throws {
        let authority = Self.folder.appendingPathComponent("authority")
        let issued = try IssuedDocuments(folders: [authority])
        let target = try #require(Self.targets.first { $0.name == name })
        let proved = try Self.inputs(target).filter { file in
            let bytes = [UInt8](try Data(contentsOf: file))
            return issued.proves(bytes) || issued.provesSignedData(bytes)
                || issued.provesResponse(bytes)
        }
        #expect(!proved.isEmpty)
        #expect(!issued.contents.isEmpty)
    }

    @Test("Some OCSP responses count once they are signed, so that what they say is looked at")
    func sayings() throws {
        let authority = Self.folder.appendingPathComponent("authority")
        let issued = try IssuedDocuments(folders: [authority])
        let target = try #require(Self.targets.first { $0.name == "ocsp" })
        let counting = try Self.inputs(target).filter { file in
            issued.provesSaying([UInt8](try Data(contentsOf: file)))
        }
        #expect(counting.count > 4)
    }

    @Test("What fuzzing begins with is read without a contradiction, and the sound is proved")
    func seeds() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("counterfoil-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FuzzSeeds.writeIssued(to: folder)
        let issued = try IssuedDocuments(folders: [folder.appendingPathComponent("authority")])
        var proved = 0
        for target in FuzzTarget.all(issued) {
            let own = folder.appendingPathComponent(target.name)
            let names = try FileManager.default.contentsOfDirectory(atPath: own.path)
            #expect(!names.isEmpty, "\(target.name) begins with nothing")
            for name in names {
                let bytes = [UInt8](try Data(contentsOf: own.appendingPathComponent(name)))
                do {
                    try target.check(bytes)
                } catch {
                    Issue.record("\(target.name)/\(name): \(error)")
                }
                if target.name == "jws", issued.provesSignedData(bytes) { proved += 1 }
            }
        }
        // One of each kind, and those of another app or environment.
        #expect(proved >= 5)
    }

    @Test(
        "What nobody issued is a contradiction as soon as it is proved",
        arguments: ["verifier", "jws", "ocsp"]
    )
    func forgery(name: String) throws {
        let authority = Self.folder.appendingPathComponent("authority")
        let issued = try IssuedDocuments(folders: [authority]).havingIssuedNothing
        let target = try #require(FuzzTarget.all(issued).first { $0.name == name })
        let caught = try Self.inputs(target).filter { file in
            let bytes = [UInt8](try Data(contentsOf: file))
            do {
                try target.check(bytes)
                return false
            } catch {
                return true
            }
        }
        #expect(!caught.isEmpty)
    }

    @Test("The canary's trap is shut for all but its four bytes")
    func canary() throws {
        try FuzzTarget.canary.check(Array("cfo".utf8))
        try FuzzTarget.canary.check(Array("cfoj".utf8))
        #expect(throws: Contradiction.self) { try FuzzTarget.canary.check(Array("cfoi".utf8)) }
    }
}
