import AppStoreModel
import CounterfoilBasics
import CounterfoilTestSupport
import DocumentInspection
import Foundation
import Testing

@Suite("Readings of attributes")
struct AttributeReadingTests {
    private func reading(_ type: Int64, _ hex: String) throws -> AttributeReading {
        let bytes = try #require(Hexadecimal.decode(hex))
        return AttributeReading(ReceiptAttribute(type: type, version: 1, value: bytes[...]))
    }

    @Test("Texts and numbers are read, with the name of their ASN.1 type")
    func values() throws {
        #expect(try reading(2, "0c03612e62").value == .text("a.b"))
        #expect(try reading(2, "0c03612e62").asn1Type == "UTF8String")
        #expect(try reading(15, "020806fb5495a737b044").value == .integer(503_088_785_114_247_236))
        #expect(try reading(8, "1600").value == .text(""))
    }

    @Test(
        "What is no single text or number stays bytes",
        arguments: [
            "", "0c", "0c0561", "0c0161ff", "0c01ff", "0209000000000000000001", "0500", "30800000",
        ]
    )
    func bytes(hex: String) throws {
        let reading = try reading(9999, hex)
        #expect(reading.value == .bytes(try #require(Hexadecimal.decode(hex))))
        #expect(reading.asn1Type == nil)
        #expect(reading.name == nil)
    }

    @Test("Opaque values stay bytes even where they look like a number")
    func opaque() throws {
        #expect(try reading(4, "020400bc614e").value == .bytes([2, 4, 0, 0xBC, 0x61, 0x4E]))
    }

    @Test("Dates are instants besides; an empty one is none")
    func dates() throws {
        let date = Array("2021-04-03T22:38:45+0300".utf8)
        let reading = try reading(12, "1618" + Hexadecimal.encode(date))
        #expect(reading.date?.description == "2021-04-03T19:38:45Z")
        #expect(try self.reading(1708, "1600").date == nil)
        #expect(try self.reading(10, "1618" + Hexadecimal.encode(date)).date == nil)
    }

    @Test("Numbers whose meaning was inferred have a gloss")
    func glosses() throws {
        #expect(try reading(9, "020450333035").gloss == "P305")
        #expect(try reading(9, "020101").gloss == nil)
        #expect(try reading(13, "02030298d8").gloss == "17.2.0")
        #expect(try reading(25, "020102").gloss == "macOS")
        #expect(try reading(1707, "020103").gloss == "Auto-Renewable Subscription")
        #expect(try reading(1707, "020109").gloss == nil)
        #expect(try reading(9999, "020103").gloss == nil)
    }
}
