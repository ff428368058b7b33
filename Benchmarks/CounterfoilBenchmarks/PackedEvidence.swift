import AppStoreSimulator
import Benchmarking
import CounterfoilBasics
import Journal

/// What the journal keeps of a document, and what packing and unpacking it cost.
enum PackedEvidence {
    /// Packs documents of each kind, and prints a row for each.
    ///
    /// - Throws: what issuing and packing throw, which is a defect.
    static func run() throws {
        let now = Instant(secondsSince1970: 1_767_225_600)
        let receipts = try SampleReceipts(now: now)
        let signedData = SampleSignedData(authority: receipts.authority, now: now)
        print("packed for keeping | bytes | packed | shared | pack | unpack")
        for (name, kind) in [
            ("transaction", SampleSignedData.Kind.transaction), ("renewal info", .renewalInfo),
        ] {
            try report(name, Array(try signedData.text(kind, 1).utf8))
        }
        let notification = try signedData.text(.notification, 1)
        try report("notification", SignedDataIssuer.body(signedPayload: notification))
        for purchases in ReceiptBenchmark.purchaseCounts {
            try report(
                "receipt, \(purchases) purchases",
                try receipts.receipt(1, purchases: purchases)
            )
        }
    }

    private static func report(_ name: String, _ document: [UInt8]) throws {
        let packing = try DocumentPacking(document)
        let turns = try Turns([
            .init("pack") { _ = try DocumentPacking(document) },
            .init("unpack") {
                _ = try PackedDocument(reading: packing.packed.bytes)
                    .document(packing.digest, shared: packing.shared)
            },
        ])
        let cells = [
            String(document.count), String(packing.packed.bytes.count),
            String(packing.shared.values.reduce(0) { $0 + $1.count }),
            "\(turns["pack"].rounded(to: 1)) µs", "\(turns["unpack"].rounded(to: 1)) µs",
        ]
        print(([name] + cells).joined(separator: " | "))
    }
}
