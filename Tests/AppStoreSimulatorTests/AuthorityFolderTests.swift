import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Authority folder")
struct AuthorityFolderTests {
    private let profile = AuthorityProfile(now: Fixtures.now)
    private let parent: Folder
    private var folder: AuthorityFolder { AuthorityFolder(path: parent.path("authority/")) }

    init() throws { parent = try Folder() }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func files(in path: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: path))
    }

    @Test("A certificate read back is the one that was written")
    func readingBack() throws {
        for role in AuthorityRole.allCases {
            let certificate = Fixtures.authority[role].certificate
            #expect(try IssuedCertificate(der: certificate.der) == certificate, "\(role)")
        }
        #expect { try IssuedCertificate(der: [0x30, 0x00]) } throws: {
            ($0 as? SimulatorError)?.code == SimulatorError.certificateUnreadable
        }
    }

    @Test("It is made on first use, for its owner alone, and is the same from then on")
    func firstUse() throws {
        let made = try folder.authority(orMaking: profile)
        #expect(folder.path == parent.path("authority"))
        #expect(try files(in: parent.path) == ["authority"])
        #expect(
            try files(in: folder.path)
                == ["root.pem", "storekit.pem", "storekit-signed-data.pem", "private"]
        )
        #expect(try mode(folder.path) == 0o700)
        #expect(try mode(folder.path + "/private") == 0o700)
        let keys = try files(in: folder.path + "/private")
        #expect(keys.count == AuthorityRole.allCases.count)
        for key in keys { #expect(try mode(folder.path + "/private/" + key) == 0o600) }
        let text = try String(contentsOfFile: folder.anchorsPath, encoding: .utf8)
        #expect(text == made.anchorsPEM)
        #expect(!text.contains("PRIVATE"))
        let again = try folder.authority(orMaking: AuthorityProfile(now: Fixtures.now, seed: 9))
        for role in AuthorityRole.allCases {
            #expect(again[role].certificate == made[role].certificate)
            #expect(again[role].key.publicKey == made[role].key.publicKey)
        }
        let receipt = try AppReceiptIssuer(authority: again).issue(Fixtures.receipt())
        #expect(try OpenSSL.verify(receipt, root: made[.root].certificate).succeeded)
    }

    @Test("Files of different moments are refused by name, and the one taken away is made anew")
    func mixedMoments() throws {
        _ = try folder.authority(orMaking: profile)
        let signer = folder.path + "/private/receipt-signer.pem"
        let before = try String(contentsOfFile: signer, encoding: .utf8)
        _ = try folder.change(orMaking: profile) { authority throws(SimulatorError) in
            try authority.rotating(.intermediate, at: Fixtures.now)
        }
        try before.write(toFile: signer, atomically: true, encoding: .utf8)
        #expect {
            try folder.authority(orMaking: profile)
        } throws: { error in
            let error = error as? SimulatorError
            return error?.code == SimulatorError.folderDamaged
                && error?.reason.contains("receipt-signer.pem was not issued by") == true
        }
        try FileManager.default.removeItem(atPath: signer)
        let mended = try folder.authority(orMaking: profile)
        let receipt = try AppReceiptIssuer(authority: mended).issue(Fixtures.receipt())
        #expect(try OpenSSL.verify(receipt, root: mended[.root].certificate).succeeded)
    }

    @Test("A pipe in the place of a file is refused, not waited for")
    func pipe() throws {
        _ = try folder.authority(orMaking: profile)
        let file = folder.path + "/private/receipt-signer.pem"
        try FileManager.default.removeItem(atPath: file)
        #expect(mkfifo(file, 0o600) == 0)
        #expect {
            try folder.authority(orMaking: profile)
        } throws: {
            ($0 as? SimulatorError)?.code == SimulatorError.folderInaccessible
        }
    }

    @Test("An empty folder is filled")
    func emptyFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path,
            withIntermediateDirectories: false
        )
        _ = try folder.authority(orMaking: profile)
        #expect(try mode(folder.path) == 0o700)
    }

    @Test("After a rotation the older root is still in root.pem, behind the new one")
    func rotation() throws {
        let first = try folder.authority(orMaking: profile)
        let second = try first.rotating(.root, at: Fixtures.now, seed: 1)
        try folder.save(second)
        let opened = try folder.authority(orMaking: profile)
        #expect(opened.anchors == second.anchors)
        #expect(opened.retired.contains(first[.root].certificate))
        #expect(opened[.receiptSigner].certificate == second[.receiptSigner].certificate)
        let third = try opened.rotating(.receiptSigner, at: Fixtures.now, seed: 2)
        try folder.save(third)
        #expect(try folder.authority(orMaking: profile).anchors == second.anchors)
    }

    @Test("Saving makes a folder that is not there")
    func savingFirst() throws {
        try folder.save(Fixtures.authority)
        #expect(try folder.authority(orMaking: profile).anchors == Fixtures.authority.anchors)
    }

    @Test("Anchors that were lost are written again, and so is a role of a later version")
    func completing() throws {
        try folder.save(Fixtures.authority)
        try FileManager.default.removeItem(atPath: folder.anchorsPath)
        try FileManager.default.removeItem(atPath: folder.path + "/private/storekit.pem")
        let opened = try folder.authority(orMaking: profile)
        #expect(opened.anchors == Fixtures.authority.anchors)
        #expect(opened[.storeKit].key.publicKey != Fixtures.authority[.storeKit].key.publicKey)
        #expect(FileManager.default.fileExists(atPath: folder.anchorsPath))
        let again = try folder.authority(orMaking: profile)
        #expect(again[.storeKit].certificate == opened[.storeKit].certificate)
    }

    @Test("A folder from before signed data gains what signs it, and keeps what it has")
    func gainingSignedData() throws {
        try folder.save(Fixtures.authority)
        let roles: [AuthorityRole] = [
            .signedDataRoot, .signedDataIntermediate, .signedDataSigner, .storeKitSignedData,
        ]
        for role in roles {
            try FileManager.default.removeItem(atPath: "\(folder.path)/private/\(role.name).pem")
        }
        try FileManager.default.removeItem(atPath: folder.storeKitSignedDataPath)
        let old = Fixtures.authority.anchors.dropLast()
        try old.map(\.pem).joined()
            .write(toFile: folder.anchorsPath, atomically: true, encoding: .utf8)
        let opened = try folder.authority(orMaking: profile)
        for role in AuthorityRole.allCases where !roles.contains(role) {
            #expect(opened[role].certificate == Fixtures.authority[role].certificate)
        }
        #expect(opened.anchors == old + [opened[.signedDataRoot].certificate])
        #expect(opened.retired.isEmpty)
        let text = try String(contentsOfFile: folder.anchorsPath, encoding: .utf8)
        #expect(text == opened.anchorsPEM)
        let pinned = try String(contentsOfFile: folder.storeKitSignedDataPath, encoding: .utf8)
        #expect(pinned == opened.storeKitSignedDataPEM)
        for role in roles {
            #expect(try mode("\(folder.path)/private/\(role.name).pem") == 0o600)
        }
    }

    @Test("Many who make it at once get the same authority")
    func race() async throws {
        let roots = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 {
                group.addTask { [folder, profile] in
                    try folder.authority(orMaking: profile)[.root].certificate.der
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(roots.count == 1)
        #expect(try files(in: parent.path) == ["authority"])
    }

    @Test("A damaged folder is refused and not repaired by new keys")
    func damaged() throws {
        try folder.save(Fixtures.authority)
        func code() -> ErrorCode? {
            do {
                _ = try folder.authority(orMaking: profile)
                return nil
            } catch {
                return error.code
            }
        }
        let key = folder.path + "/private/root.pem"
        let whole = try String(contentsOfFile: key, encoding: .utf8)
        func put(_ text: String) throws {
            try text.write(toFile: key, atomically: true, encoding: .utf8)
        }
        try put("nothing")
        #expect(code() == SimulatorError.folderDamaged)
        try put(Fixtures.foreignKey.pem() + Fixtures.authority[.root].certificate.pem)
        #expect(code() == SimulatorError.folderDamaged)
        try put(Fixtures.authority[.root].certificate.pem)
        #expect(code() == SimulatorError.keyUnusable)
        try FileManager.default.removeItem(atPath: key)
        #expect(code() == SimulatorError.folderDamaged)
        try put(whole)
        try "-----BEGIN CERTIFICATE-----\n".write(
            toFile: folder.anchorsPath,
            atomically: true,
            encoding: .utf8
        )
        #expect(code() == SimulatorError.folderDamaged)
    }

    @Test("A place that cannot hold a folder is named in the refusal")
    func inaccessible() throws {
        let file = try parent.write("a file", "text")
        for path in [file, file + "/below", parent.path("missing/authority")] {
            #expect {
                try AuthorityFolder(path: path).authority(orMaking: profile)
            } throws: { error in
                let error = error as? SimulatorError
                return error?.code == SimulatorError.folderInaccessible
                    && error?.reason.contains(path) == true
            }
        }
    }
}
