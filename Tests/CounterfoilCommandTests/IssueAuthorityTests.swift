import AppStoreSimulator
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil issue authority")
struct IssueAuthorityTests {
    private let folder: Folder
    private let now = Workbench.now

    init() throws { folder = try Folder() }

    private var authority: String { folder.path + "/ca" }

    @discardableResult
    private func authority(_ options: String..., at instant: String? = nil) throws -> String {
        let words = ["issue", "authority", authority, "--at", instant ?? now]
        let outcome = try Tool.run(words + options)
        try #require(outcome.exitCode == 0, Comment(rawValue: outcome.error))
        return outcome.output
    }

    private func receipt(_ specification: String = "{}", at instant: String) throws -> [UInt8] {
        let words = ["issue", "receipt", specification, "--authority", authority, "--at", instant]
        let outcome = try Tool.run(words)
        try #require(outcome.exitCode == 0, Comment(rawValue: outcome.error))
        return Array(outcome.output.utf8)
    }

    /// The verdict, or why there is none.
    private func verdict(_ document: [UInt8]) throws -> String? {
        let words = ["verify", "--anchor", authority + "/root.pem", "--at", "2026-07-01"]
        let line = try JSONText(Tool.run(words + ["-"], input: document).output)
        return line.text("code") ?? line.text("verdict")
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("It is made on first use for its owner alone, and stays the same")
    func firstUse() throws {
        let words = ["issue", "receipt", "--authority", authority]
        let first = try Tool.run(words)
        #expect(first.exitCode == 0)
        #expect(first.error == "Made a new authority in \(authority).\n")
        #expect(try mode(authority) == 0o700)
        #expect(try mode(authority + "/private") == 0o700)
        let keys = try FileManager.default.contentsOfDirectory(atPath: authority + "/private")
        #expect(keys.count == AuthorityRole.allCases.count)
        for key in keys { #expect(try mode(authority + "/private/" + key) == 0o600) }
        let root = try folder.text("ca/root.pem")
        #expect(try Tool.run(words).error.isEmpty)
        let shown = try authority()
        #expect(shown.hasPrefix("The authority in \(authority):\n"))
        for role in AuthorityRole.allCases { #expect(shown.contains("\n  \(role.name) ")) }
        #expect(
            shown.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains(authority) }
        )
        #expect(try folder.text("ca/root.pem") == root)
    }

    @Test("A folder that is something else's is left alone")
    func foreignFolder() throws {
        try folder.write("ca/notes.txt", [0x61])
        let outcome = try Tool.run(["issue", "authority", authority])
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("issue.folder_damaged"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: authority) == ["notes.txt"])
    }

    @Test("openssl finds its certificates in order, by the strict rules")
    func strict() throws {
        try authority()
        let referee = OpenSSLReferee(folder)
        let document = try receipt(at: now)
        let root = authority + "/root.pem"
        #expect(try referee.verify(document, root: root).exitCode == 0)
        let chain = try referee.certificates(of: document)
        #expect(chain.count == 3)
        let leaf = try folder.write("leaf.pem", Array(chain[0].utf8))
        let between = try folder.write("between.pem", Array(chain[1].utf8))
        let outcome = try Shell.run(
            "openssl verify -x509_strict -purpose any -attime 1780315200 "
                + "-CAfile \(root) -untrusted \(between) \(leaf)"
        )
        #expect(outcome.exitCode == 0, "\(outcome.error)")
    }

    @Test(
        "After a rotation old and new receipts are verified with the same file of roots",
        arguments: ["receipt-signer", "intermediate", "root"]
    )
    func rotation(role: String) throws {
        try authority()
        let old = try receipt(at: now)
        let shown = try authority("--rotate", role, at: "2026-06-10T00:00:00Z")
        #expect(shown.hasPrefix("Changed the authority in"))
        let new = try receipt(at: "2026-06-11T00:00:00Z")
        #expect(try verdict(old) == "verified")
        #expect(try verdict(new) == "verified")
        let before = #"{ "creationDate": "2026-06-09T00:00:00Z" }"#
        #expect(try verdict(receipt(before, at: now)) == "chain.not_yet_valid")
        let chains = try [old, new].map(OpenSSLReferee(folder).certificates)
        #expect(chains[0][0] != chains[1][0])
        #expect((chains[0][1] == chains[1][1]) == (role == "receipt-signer"))
        #expect((chains[0][2] == chains[1][2]) == (role != "root"))
    }

    @Test(
        "An ended certificate signs nothing new, and takes nothing from what is old",
        arguments: ["receipt-signer", "intermediate", "root"]
    )
    func expiry(role: String) throws {
        try authority()
        let old = try receipt(at: now)
        let shown = try authority("--expire", role, at: "2026-06-10T00:00:00Z")
        #expect(shown.contains(/\n  [a-z-]+ +SHA-256  20..-..-..  2026-06-10\n/))
        #expect(try verdict(old) == "verified")
        #expect(try verdict(receipt(at: "2026-06-10T00:00:00Z")) == "verified")
        #expect(try verdict(receipt(at: "2026-06-10T00:00:01Z")) == "chain.expired")
        #expect(try authority(at: "2026-06-11T00:00:00Z").contains("ended"))
        try authority("--rotate", role, at: "2026-06-12T00:00:00Z")
        #expect(try verdict(receipt(at: "2026-06-12T00:00:00Z")) == "verified")
        #expect(try verdict(old) == "verified")
    }

    @Test("A certificate cannot end before it begins")
    func expiryTooEarly() throws {
        try authority()
        let words = ["issue", "authority", authority, "--expire", "root", "--at", "1999-01-01"]
        let outcome = try Tool.run(words)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("issue.not_representable"))
    }

    @Test("SHA-1 and SHA-256: certificates and receipts change together, both are verified")
    func digest() throws {
        try authority()
        func algorithms(_ document: [UInt8]) throws -> [String] {
            let words = ["inspect", "--format", "json", "--anchor", authority + "/root.pem"]
            let outcome = try Tool.run(words + ["--at", now], input: document)
            let leaf = try OpenSSLReferee(folder).certificates(of: document)[0]
            let file = try folder.write("leaf.pem", Array(leaf.utf8))
            let text = try Shell.run("openssl x509 -noout -text -in \(file)").output
            let named = try #require(text.firstMatch(of: /Signature Algorithm: (\w+)/)).1
            return [try JSONText(outcome.output).text("digest") ?? "none", String(named)]
        }
        let first = try receipt(at: now)
        #expect(try algorithms(first) == ["SHA-256", "sha256WithRSAEncryption"])
        try authority("--digest", "SHA-1")
        let second = try receipt(at: now)
        #expect(try algorithms(second) == ["SHA-1", "sha1WithRSAEncryption"])
        // A specification still has its own word.
        let mixed = try receipt(#"{ "digest": "SHA-256" }"#, at: now)
        #expect(try algorithms(mixed) == ["SHA-256", "sha1WithRSAEncryption"])
        try authority("--digest", "SHA-256")
        #expect(try receipt(at: now) == first)
        for document in [first, second, mixed] { #expect(try verdict(document) == "verified") }
    }

    @Test("The server takes the same file as anchors, and answers what was issued")
    func serve() throws {
        try authority()
        try authority("--rotate", "root")
        let text = """
            { "apps": [ { "bundleId": "com.example.app", "realm": "rehearsal",
                          "anchors": ["ca/root.pem"] } ] }
            """
        let file = try folder.write("counterfoil.json", Array(text.utf8))
        let server = try RunningTool(["serve", "--config", file, "--listen", "127.0.0.1:0"])
        let transaction = ["issue", "transaction-receipt", "--authority", authority]
        let receipt = ["issue", "receipt", "--authority", authority, "--at", now]
        for (words, status) in [
            (receipt, 0), (transaction, 0), (receipt + ["--flaw", "leafExpired"], 21003),
        ] {
            let document = try Tool.run(words).output.dropLast()
            let answer = try Shell.run(
                "curl -s -d '{\"receipt-data\":\"\(document)\"}' "
                    + "\(server.url)/sandbox/verifyReceipt"
            )
            #expect(try JSONText(answer.output)["status"] as? Int == status, "\(answer.output)")
        }
    }
}
