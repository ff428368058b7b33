import Foundation
import Testing

@Suite("All files")
struct FileTests {
    /// Spelled so that this file does not contain them.
    static let unfinished = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]

    @Test("Nothing is left for later")
    func unfinishedWork() {
        for path in Tree.files {
            let text = Tree.text(of: path)
            for word in Self.unfinished where text.contains(word) {
                Issue.record("\(path): \(word)")
            }
        }
    }

    @Test("No private key is committed")
    func privateKeys() {
        for path in Tree.files where PrivateKey.isIn(Tree.bytes(of: path)) {
            Issue.record("\(path): a private key")
        }
    }

    @Test("A private key would be found, a marker without one is none")
    func privateKeySamples() {
        let begin = "-----BEGIN EC " + "PRIVATE KEY-----"
        let body = String(repeating: "MHcCAQEE", count: 8)
        #expect(PrivateKey.isIn(Data("\(begin)\n    \(body)\n".utf8)))
        #expect(PrivateKey.isIn(Data("x \(begin) \(begin)\\n\(body)".utf8)))
        #expect(!PrivateKey.isIn(Data("expects \(begin) there".utf8)))
        #expect(!PrivateKey.isIn(Data("-----BEGIN CERTIFICATE-----\n\(body)".utf8)))
    }

    @Test("A license and a changelog are there")
    func companions() {
        #expect(Tree.text(of: "LICENSE").contains("Apache License"))
        #expect(Tree.text(of: "CHANGELOG.md").hasPrefix("# Changelog\n"))
    }
}

/// The text form of private keys (RFC 7468), whatever their kind.
enum PrivateKey {
    private static let begin = Data("-----BEGIN ".utf8)
    private static let end = Data("PRIVATE KEY-----".utf8)
    private static let digits = Set("+/0123456789".utf8)
        .union(UInt8(ascii: "A")...UInt8(ascii: "Z")).union(UInt8(ascii: "a")...UInt8(ascii: "z"))

    static func isIn(_ bytes: Data) -> Bool {
        var rest = bytes[...]
        while let opening = rest.range(of: begin) {
            rest = rest[opening.upperBound...]
            // Between the two stands nothing, RSA, EC or ENCRYPTED.
            guard let closing = rest.prefix(40).range(of: end) else { continue }
            // Line breaks, real or as `\n` in a literal, and indentation lead to the body.
            let body = rest[closing.upperBound...].drop { !digits.contains($0) || $0 == 0x6E }
            let gap = body.startIndex - closing.upperBound
            if gap < 40, body.prefix(40).allSatisfy(digits.contains), body.count >= 40 {
                return true
            }
        }
        return false
    }
}
