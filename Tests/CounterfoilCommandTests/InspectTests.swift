import CounterfoilTestSupport
import Foundation
import Testing

@Suite("counterfoil inspect", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct InspectTests {
    @Test("A genuine receipt is verified, with its purchases and its age")
    func genuine() throws {
        let outcome = try Tool.run(["inspect", Sample.production, "--at", "2026-03-01"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.output.hasPrefix("VERIFIED   App receipt of org.getpure.pure-iphone, "))
        #expect(outcome.output.contains("2024-02-23 17:27:16 UTC (2 years ago)"))
        #expect(outcome.output.contains("org.getpure.pure.Month  auto-renewable subscription"))
        #expect(outcome.output.contains("340001311555626  2023-09-19 23:26:23"))
        #expect(!outcome.output.contains("\u{1B}"), "A file gets no colours.")
    }

    @Test("The exit code is the verdict")
    func exitCodes() throws {
        #expect(try Tool.run(["inspect", Sample.sandbox]).exitCode == 0)
        #expect(try Tool.run(["inspect", Sample.foreign]).exitCode == 1)
        #expect(try Tool.run(["inspect", Sample.truncated]).exitCode == 1)
        let early = try Tool.run(["inspect", Sample.production, "--at", "2024-01-01"])
        #expect(early.exitCode == 2)
        #expect(early.output.hasPrefix("UNDECIDED  time.in_future"))
        #expect(try Tool.run(["inspect", "/no/such/file"]).exitCode == 2)
    }

    @Test("A file that is not there is one line")
    func missing() throws {
        let outcome = try Tool.run(["inspect", "/no/such/file"])
        let expected = "counterfoil: /no/such/file cannot be read: there is no such file\n"
        #expect(outcome.error == expected)
        #expect(outcome.output.isEmpty)
    }

    @Test("What a refused document says stands behind a warning")
    func unproved() throws {
        let outcome = try Tool.run(["inspect", Sample.foreign])
        let parts = outcome.output.components(separatedBy: "Nothing below is proved")
        try #require(parts.count == 2)
        #expect(parts[0].hasPrefix("REFUSED    chain.untrusted_root\n"))
        #expect(!parts[0].contains("com.example"))
        #expect(parts[1].contains("Claims, unproved\n  app "))
        for section in ["Purchases", "Certificates", "Attributes"] {
            #expect(parts[1].contains("\n\(section), unproved"))
            #expect(!parts[1].contains("\n\(section)\n"))
        }
        #expect(parts[1].contains("com.example"))
        #expect(!outcome.output.contains("\nReceipt\n"))
    }

    @Test("A receipt of Xcode asks for its certificate to be pinned, and is verified then")
    func xcode() throws {
        let refused = try Tool.run(["inspect", Sample.ofXcode])
        #expect(refused.exitCode == 1)
        #expect(refused.output.contains("--pinned-certificate FILE"))
        let verified = try Tool.run([
            "inspect", Sample.ofXcode, "--pinned-certificate", Sample.certificateOfXcode,
        ])
        #expect(verified.exitCode == 0)
        #expect(verified.output.contains("realm xcode"))
    }

    @Test("Another app's receipt is refused, and said to be genuine")
    func otherApp() throws {
        let outcome = try Tool.run(["inspect", Sample.production, "--bundle-id", "com.mine"])
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.hasPrefix("REFUSED    app.bundle_mismatch\n"))
        #expect(outcome.output.contains("It is genuine, though"))
        let json = try JSONText(
            Tool.run(["inspect", Sample.production, "--bundle-id", "com.mine", "--format=json"])
                .output
        )
        #expect(json["verdict"] as? String == "refused")
        #expect(json["proved"] as? Bool == true)
        #expect(json["appMatched"] as? Bool == false)
        #expect(json["receipt", "bundleId"] as? String == "org.getpure.pure-iphone")
    }

    @Test("A device is compared in any spelling of its identifier")
    func device() throws {
        let identifiers = [
            "956328D9-CC6A-47F4-BE40-6953FB0AB6C7", "956328d9cc6a47f4be406953fb0ab6c7",
        ]
        for identifier in identifiers {
            let outcome = try Tool.run(["inspect", Sample.sandbox, "--device-id", identifier])
            #expect(outcome.exitCode == 0)
            #expect(outcome.output.contains(/passed +device +made for the device asked for/))
        }
        let other = "956328D9-CC6A-47F4-BE40-6953FB0AB6C8"
        let outcome = try Tool.run(["inspect", Sample.sandbox, "--device-id", other])
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.hasPrefix("REFUSED    receipt.device_hash_mismatch\n"))
        #expect(outcome.output.contains("hint:"))
    }

    @Test("Standard input is read where no file is named, and as -")
    func standardInput() throws {
        let text = try [UInt8](Data(contentsOf: URL(fileURLWithPath: Sample.production)))
        for words in [["inspect"], ["inspect", "-"]] {
            #expect(try Tool.run(words, input: text).exitCode == 0)
        }
        #expect(try Tool.run(["inspect"], input: Sample.bytes(Sample.production)).exitCode == 0)
        let empty = try Tool.run(["inspect"])
        #expect(empty.exitCode == 1)
        #expect(empty.output.hasPrefix("REFUSED    encoding.empty\n"))
    }

    @Test("Repairs of the encoding are said")
    func repairs() throws {
        let text = try String(contentsOfFile: Sample.production, encoding: .utf8)
        let urlSafe = text.replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        let outcome = try Tool.run(["inspect"], input: Array(urlSafe.utf8))
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("mended:    "))
    }

    @Test("Neither time zone nor language changes a byte")
    func locale() throws {
        let words = ["inspect", Sample.manyPurchases, "--at", "2026-03-01T12:00:00Z"]
        let reference = try Tool.run(words, environment: ["TZ": "UTC", "LANG": "C"])
        let environments = [
            ["TZ": "America/Los_Angeles", "LANG": "en_US.UTF-8"],
            ["TZ": "Asia/Tokyo", "LANG": "ja_JP.UTF-8", "LC_ALL": "ja_JP.UTF-8"],
            ["TZ": "Asia/Kathmandu", "LANG": "ar_EG.UTF-8"], ["TZ": "nonsense", "LANG": "tr_TR"],
        ]
        for environment in environments {
            let outcome = try Tool.run(words, environment: environment)
            #expect(outcome.output == reference.output)
        }
    }

    @Test("Every instant that --at takes")
    func instants() throws {
        let spellings = [
            "2026-03-01", "2026-03-01T00:00:00Z", "2026-03-01T01:00:00+01:00",
            "2026-03-01 00:00:00 Etc/GMT", "1772323200000",
        ]
        for spelling in spellings {
            let words = ["inspect", Sample.production, "--format", "json", "--at", spelling]
            let json = try JSONText(Tool.run(words).output)
            #expect(json["at"] as? String == "2026-03-01T00:00:00Z")
        }
    }

    @Test("A bare year is no instant", arguments: ["2024", "20240501", "0"])
    func bareNumber(text: String) throws {
        let outcome = try Tool.run(["inspect", Sample.production, "--at", text])
        #expect(outcome.exitCode == 64)
    }

    @Test("A certificate that does not fit its option is wrong usage")
    func wrongCertificate() throws {
        let notACertificate = try Tool.run(["inspect", "--anchor", Sample.production])
        #expect(notACertificate.exitCode == 64)
        let appleRoot = Sample.path("certs/AppleIncRootCertificate.der")
        let twice = try Tool.run(["inspect", Sample.production, "--anchor", appleRoot])
        #expect(twice.exitCode == 64)
        #expect(twice.error.contains("two realms"))
    }
}
