import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Certificates")
struct CertificateTests {
    @Test(
        "The corpus's certificates have the values that its table states",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func table() throws {
        let rows = try Corpus.table("certs/CERTS.tsv")
        #expect(rows.count > 40)
        for row in rows {
            let name = try #require(row["name"])
            let certificate = try Certificate(Corpus.bytes("certs/\(name).der"))
            #expect(certificate.subject.rfc4514.asInTable == row["subject"], "\(name)")
            #expect(certificate.issuer.rfc4514.asInTable == row["issuer"], "\(name)")
            #expect("0x" + certificate.serialNumberText.withoutLeadingZero == row["serial"])
            #expect(certificate.validity.notBefore.day == row["notBefore"])
            #expect(certificate.validity.notAfter.day == row["notAfter"])
            #expect(certificate.fingerprint.description == row["sha256"])
            let algorithm = try #require(certificate.signatureAlgorithm)
            #expect(algorithm.digest.name.lowercased().replacing("-", with: "") == row["sigHash"])
            #expect(certificate.subjectPublicKeyInfo.kind.asInTable == row["key"])
            let oids = certificate.extensions.map(\.identifier.description)
                .filter {
                    $0.hasPrefix("1.2.840.113635.100.6.") || $0.hasPrefix("1.2.840.113635.100.12.")
                }
            let expected = (row["apple_extension_oids"] ?? "").split(separator: ",").map(
                String.init
            )
            #expect(Set(oids) == Set(expected), "\(name)")
            #expect(certificate.isSelfIssued == (row["subject"] == row["issuer"]))
        }
    }

    @Test(
        "A file in PEM holds the same certificate as the one in DER",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func pemFiles() throws {
        let names = Corpus.names(in: "certs", ending: ".der")
        for name in names {
            let certificate = try Certificate(Corpus.bytes(name))
            let pem = try Corpus.bytes(name.replacing(".der", with: ".pem"))
            #expect(try Certificate.all(in: pem) == [certificate])
            #expect(try Certificate.all(in: certificate.der) == [certificate])
            #expect(try Certificate.all(in: Array(certificate.pem.utf8)) == [certificate])
        }
        let everything = try names.flatMap {
            Array("# \($0)\r\n".utf8) + (try Corpus.bytes($0.replacing(".der", with: ".pem")))
        }
        #expect(try Certificate.all(in: everything).count == names.count)
    }

    @Test(
        "The openssl program reads the same values",
        .enabled(if: Corpus.isPresent && OutsideProgram.openssl.isPresent)
    )
    func differential() throws {
        let folder = try #require(Corpus.folder)
        for name in Corpus.names(in: "certs", ending: ".der") {
            let certificate = try Certificate(Corpus.bytes(name))
            let answer = try OutsideProgram.openssl.run([
                "x509", "-inform", "DER", "-in", folder.appendingPathComponent(name).path,
                "-noout", "-serial", "-subject", "-issuer", "-fingerprint", "-sha256",
                "-dates", "-dateopt", "iso_8601", "-nameopt", "RFC2253",
                "-ext", "basicConstraints,keyUsage,subjectKeyIdentifier,authorityKeyIdentifier",
            ])
            let lines = answer.text.split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            func value(_ key: String) -> String? {
                lines.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
            }
            #expect(value("serial")?.lowercased() == certificate.serialNumberText)
            #expect(value("subject") == certificate.subject.rfc4514, "\(name)")
            #expect(value("issuer") == certificate.issuer.rfc4514)
            #expect(value("notBefore") == certificate.validity.notBefore.isoText)
            #expect(value("notAfter") == certificate.validity.notAfter.isoText)
            #expect(
                value("sha256 Fingerprint")?.replacing(":", with: "").lowercased()
                    == certificate.fingerprint.description
            )
            func after(_ title: String) -> String? {
                lines.firstIndex { $0.hasPrefix(title) }.map { lines[$0 + 1] }
            }
            #expect(
                after("X509v3 Subject Key Identifier")?.replacing(":", with: "").lowercased()
                    == certificate.subjectKeyIdentifier.map(Hexadecimal.encode)
            )
            #expect(
                after("X509v3 Authority Key Identifier")?.replacing("keyid:", with: "")
                    .replacing(":", with: "").lowercased()
                    == certificate.authorityKeyIdentifier.map(Hexadecimal.encode)
            )
            let constraints = certificate.basicConstraints.map { constraints in
                "CA:" + (constraints.isAuthority ? "TRUE" : "FALSE")
                    + (constraints.pathLength.map { ", pathlen:\($0)" } ?? "")
            }
            #expect(after("X509v3 Basic Constraints") == constraints)
            #expect(after("X509v3 Key Usage") == certificate.keyUsage.map(\.asInOpenSSL))
        }
    }

    @Test(
        "The key of the pinned iOS 6 issuers is the one whose digest is published",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func keyIdentifiers() throws {
        let issuer = try Certificate(
            Corpus.bytes("certs/Apple-iTunes-Store-Certification-Authority-2016-05-18.der")
        )
        #expect(
            issuer.subjectPublicKeyInfo.sha256.description
                == "96a4d98c6fe08462f2abd7e488054e6b1dfdc71a6dcb16aca58232dd1195d632"
        )
        #expect(
            Hexadecimal.encode(issuer.subjectPublicKeyInfo.keyIdentifier)
                == "361de8e29d82d2011 8b5326b0ed7430b9158433a".replacing(" ", with: "")
        )
        let leaf = try Certificate(
            Corpus.bytes("certs/PurchaseReceiptCertificate-2014-06-14.der")
        )
        #expect(leaf.authorityKeyIdentifier == issuer.subjectPublicKeyInfo.keyIdentifier)
        #expect(leaf.hasExtension("1.2.840.113635.100.6.5.1"))
        #expect(!leaf.hasExtension("1.2.840.113635.100.6.11.1"))
        let key = try PublicKey(issuer.subjectPublicKeyInfo)
        try leaf.verifySignature(by: key)
        let foreign = #expect(throws: ChainError.self) {
            try leaf.verifySignature(by: TestKeys.rsa2048.publicKey)
        }
        #expect(foreign?.code == ChainError.badSignature)
        let ofOtherKind = #expect(throws: ChainError.self) {
            try leaf.verifySignature(by: TestKeys.p256.publicKey)
        }
        #expect(ofOtherKind?.code == ChainError.badSignature)
    }

    @Test("A name is shown with its common name first and what could deceive escaped")
    func names() throws {
        var draft = TestAuthority().leaf
        draft.subject = " a,b+\"c\"\nforged\u{202E} "
        let name = try draft.issue(by: TestKeys.rsa2048).subject
        #expect(name.rfc4514 == "CN=\\ a\\,b\\+\\\"c\\\"\\0aforged\\e2\\80\\ae\\ ")
        #expect(name.commonName == draft.subject)
        #expect(!name.label.contains("\n"))
        draft.subject = String(repeating: "x", count: 500)
        #expect(try draft.issue(by: TestKeys.rsa2048).subject.label.count == 82)
    }

    @Test("The last second of a certificate is included")
    func lastSecond() {
        let validity = CertificateValidity(
            notBefore: Instant(secondsSince1970: 10),
            notAfter: Instant(secondsSince1970: 20)
        )
        for (milliseconds, expected) in [
            (9_999, false), (10_000, true), (20_000, true), (20_999, true), (21_000, false),
        ] {
            let instant = Instant(millisecondsSince1970: Int64(milliseconds))
            #expect(validity.contains(instant) == expected)
        }
    }
}

extension String {
    /// The table writes types without a name of RFC 4514 in digits.
    fileprivate var asInTable: String { replacing("emailAddress", with: "1.2.840.113549.1.9.1") }

    fileprivate var withoutLeadingZero: String { hasPrefix("0") ? String(dropFirst()) : self }
}

extension Instant {
    fileprivate var day: String { String(description.prefix(10)) }
    fileprivate var isoText: String { description.replacing("T", with: " ") }
}

extension KeyKind {
    fileprivate var asInTable: String {
        switch self {
        case .rsa(let bits, _): "RSAPublicKey\(bits)"
        case .ellipticCurve(let curve): "ECPublicKey\(curve == .p256 ? 256 : 384)"
        case .other(let identifier): "\(identifier)"
        }
    }
}

extension KeyUsage {
    fileprivate var asInOpenSSL: String {
        let names: [(KeyUsage, String)] = [
            (.digitalSignature, "Digital Signature"), (.contentCommitment, "Non Repudiation"),
            (.keyEncipherment, "Key Encipherment"), (.dataEncipherment, "Data Encipherment"),
            (.keyAgreement, "Key Agreement"), (.keyCertSign, "Certificate Sign"),
            (.cRLSign, "CRL Sign"), (.encipherOnly, "Encipher Only"),
            (.decipherOnly, "Decipher Only"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
