import CounterfoilTestSupport
import Foundation
import Testing

@Suite("Documents as stories")
struct StoryTests {
    private let bench: Workbench

    init() throws { bench = try Workbench.shared.get() }

    /// What a person reads of a document, under the bench's authority.
    private func inspect(
        _ document: [UInt8],
        _ options: [String] = []
    ) throws -> Tool.Outcome {
        let trust = [
            "--anchor", bench.authority + "/root.pem", "--pinned-certificate",
            bench.authority + "/storekit-signed-data.pem",
        ]
        return try Tool.run(["inspect", "--at", Workbench.now] + trust + options, input: document)
    }

    private func story(_ words: [String], _ specification: String? = nil) throws -> String {
        let outcome = try inspect(bench.document(words, specification))
        #expect(outcome.exitCode == 0)
        // Sentences are wrapped.
        return outcome.output.replacing("\n  ", with: " ")
    }

    @Test(
        "A real refund is told in order: what happened, to which purchase, when, at what price",
        .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
    )
    func refund() throws {
        let file = Sample.path("notifications-v2/apple-REFUND-663e2e.jws")
        let outcome = try Tool.run(["inspect", file, "--at", "2026-03-01"])
        let expected = """
            VERIFIED   Notification of com.loki-project.loki-messenger, Sandbox. Signed by
                       Apple, 2025-10-16 05:22:02 UTC (4 months ago).

            Notification
              The App Store refunded the purchase.

              type            REFUND
              subscription    active
              app             com.loki-project.loki-messenger
              app's Apple ID  1470168868
              app version     637
              environment     Sandbox
              notification    caeda1df-9950-458d-87a7-93bb009e7391
              sent            2025-10-16 05:22:02 UTC (4 months ago)

            Transaction, in data.signedTransactionInfo
              The customer bought com.getsession.org.pro_sub for 1.99 AUD. The App Store
              refunded the purchase on 2025-10-16 (4 months ago).

              product       com.getsession.org.pro_sub, auto-renewable subscription
              price         1.99 AUD, storefront AUS
              bought        2025-10-13 05:58:49 UTC (4 months ago)
              first bought  2025-10-01 06:57:13 UTC (4 months ago)
              ran until     2025-10-13 06:01:49 UTC (4 months ago)
              refunded      2025-10-16 05:19:59 UTC (4 months ago)
              transaction   2000001032604840
              original      2000001024993299

            Renewal info, in data.signedRenewalInfo
              It was to renew for 5.99 AUD on 2025-10-16 (4 months ago).

            """
        #expect(outcome.output.hasPrefix(expected), "\(outcome.output)")
        #expect(outcome.output.contains("\nMembers of data.signedTransactionInfo\n"))
        #expect(outcome.output.contains("revocationDate                 1760591999000  2025-10-16"))
    }

    @Test(
        "A transaction says how it came about and what became of it",
        arguments: [
            (
                #"{"price": 9990, "expiresDate": "+10d"}"#,
                [
                    "The customer bought com.example.app.pro.month for 9.99 USD.",
                    "It runs until 2026-06-11",
                ]
            ),
            (
                #"{"transactionReason": "RENEWAL", "price": 300000, "currency": "JPY"}"#,
                ["The App Store renewed com.example.app.pro.month for 300.00 JPY."]
            ),
            (
                #"{"inAppOwnershipType": "FAMILY_SHARED", "revocationDate": "-1d"}"#,
                [
                    "A member of the family shares",
                    "Access through family sharing ended on 2026-05-31",
                ]
            ),
            (
                #"{"offerType": 1, "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1W"}"#,
                ["as a free trial.", "introductory, free trial, for 1 week"]
            ),
            (
                #"{"revocationDate": "-1d", "revocationReason": 1, "revocationType": "REFUND_PRORATED", "revocationPercentage": 33500}"#,
                [
                    "The App Store refunded 33.500 % of the price, because of an issue with the app, on"
                ]
            ),
            (#"{"isUpgraded": true}"#, ["A change to another plan took its place."]),
            (
                #"{"type": "Consumable", "quantity": 3, "expiresDate": null}"#,
                ["The customer bought 3 of com.example"]
            ),
        ]
    )
    func transactions(specification: String, sentences: [String]) throws {
        let story = try story(["transaction"], specification)
        for sentence in sentences { #expect(story.contains(sentence), "\(story)") }
    }

    @Test(
        "Renewal info says what comes next",
        arguments: [
            (
                #"{"autoRenewStatus": 1, "renewalDate": "+10d", "renewalPrice": 4990}"#,
                "It will renew for 4.99 USD on 2026-06-11"
            ),
            (
                #"{"autoRenewStatus": 0, "renewalDate": "+10d"}"#,
                "It will not renew: it ends on 2026-06-11"
            ),
            (
                #"{"autoRenewProductId": "com.example.year", "renewalDate": "+1d"}"#,
                "It will renew as com.example.year"
            ),
            (
                #"{"isInBillingRetryPeriod": true, "gracePeriodExpiresDate": "+3d"}"#,
                "A payment failed, and the App Store tries again; access is kept until 2026-06-04"
            ),
            (
                #"{"expirationIntent": 3, "autoRenewStatus": 0, "renewalDate": "-1d"}"#,
                "It ended because the customer did not consent to a higher price."
            ),
            (
                #"{"priceIncreaseStatus": 0}"#,
                "The customer has not answered to a higher price yet."
            ),
        ]
    )
    func renewals(specification: String, sentence: String) throws {
        #expect(try story(["renewal-info"], specification).contains(sentence))
    }

    @Test("What nobody knows yet is verified, shown and marked")
    func unknown() throws {
        let specification = #"""
            {"notificationType": "MOON_LANDING", "subtype": "SOFT",
             "payload": {"moon": {"phase": 12345678901234567890}}}
            """#
        let document = try bench.document(["notification"], specification)
        let outcome = try inspect(document)
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("Something happened that is not known here."))
        #expect(outcome.output.contains("MOON_LANDING, SOFT"))
        #expect(outcome.output.contains(/\n  moon +unknown +\{"phase":12345678901234567890\}/))
        let json = try inspect(document, ["--format", "json"])
        #expect(json.output.contains("\"phase\": 12345678901234567890"), "exact beyond 2^53")
        let reading = try JSONText(json.output)
        #expect(reading["signedData", "reading", "unknownMembers"] as? [String] == ["moon"])
        #expect(reading.text("label") == "unknown")
    }

    @Test("Documents of Xcode are verified with its certificate pinned, zeros and all")
    func xcode() throws {
        let document = try bench.document(["transaction"], #"{"environment": "Xcode"}"#)
        #expect(try inspect(document).output.contains("realm xcode"))
        let unpinned = try Tool.run(["inspect", "--at", Workbench.now], input: document)
        #expect(unpinned.exitCode == 1)
        #expect(unpinned.output.contains("the document says Xcode; if it is yours"))
    }

    @Test("No control or invisible character of signed data reaches the reader")
    func hostile() throws {
        let text = #"\u001b[2J\u001b[31mVERIFIED\u202e\u0007"#
        let specification = #"{"productId": "\#(text)", "\#(text)": "\#(text)"}"#
        for options in [[], ["--bundle-id", "com.other"]] {
            let outcome = try inspect(bench.document(["transaction"], specification), options)
            #expect(outcome.output.contains("\\u{1b}[2J"))
            let hidden = outcome.output.unicodeScalars.filter { scalar in
                scalar != "\n"
                    && [.control, .format].contains(scalar.properties.generalCategory)
            }
            #expect(hidden.isEmpty)
        }
    }

    @Test("A letter of signed data that was changed makes all of it a claim, headings and all")
    func tampered() throws {
        var letters = try bench.document(["notification", "--jws"])
        let place = letters.count - 40
        letters[place] = letters[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let outcome = try inspect(letters)
        #expect(outcome.exitCode == 1)
        let parts = outcome.output.components(separatedBy: "Nothing below is proved")
        try #require(parts.count == 2)
        #expect(!parts[0].contains("com.example"))
        for line in parts[1].split(separator: "\n").dropFirst(1)
        where line.first?.isUppercase == true && line != "Checks" {
            #expect(line.hasSuffix(", unproved"), "\(line)")
        }
    }

    @Test("An iOS 6-style receipt has the marker of the intermediate that it does not bring along")
    func markers() throws {
        let outcome = try inspect(bench.document(["transaction-receipt"]))
        #expect(
            outcome.output.contains(
                "marker 1.2.840.113635.100.6.2.1 Worldwide Developer Relations authority"
            )
        )
    }
}
