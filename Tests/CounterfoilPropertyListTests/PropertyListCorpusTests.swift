import CounterfoilBasics
import CounterfoilPropertyList
import CounterfoilTestSupport
import Foundation
import Testing

@Suite(
    "Property lists of genuine receipts",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))
)
struct PropertyListCorpusTests {
    private static let names = Corpus.names(in: "transaction-receipts-ios6", ending: ".b64")

    @Test("The outer and the inner list say what is expected, in their order", arguments: names)
    func expected(name: String) throws {
        let receipt = try Receipt(name)
        let json = try Corpus.bytes(name.replacing(".b64", with: ".expected.json"))
        let expected = try #require(
            try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
        )
        let outer = try #require(expected["plist"] as? [String: String])
        let inner = try #require(expected["purchase_info"] as? [String: String])
        let unsigned = receipt.outer.entries.filter {
            $0.key != "signature" && $0.key != "purchase-info"
        }
        #expect(try strings(unsigned) == outer)
        #expect(try strings(receipt.inner.entries) == inner)
        // The expectations keep the order of the keys as they stand in the receipt.
        let text = String(decoding: json, as: UTF8.self)
        let info = text[try #require(text.range(of: "purchase_info")).upperBound...]
        let places = receipt.inner.entries.map { info.range(of: "\"\($0.key)\":")?.lowerBound }
        #expect(!places.contains(nil))
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }

    @Test("Writing a list again gives its bytes", arguments: names)
    func rewritten(name: String) throws {
        let receipt = try Receipt(name)
        #expect(PropertyListValue.dictionary(receipt.outer).encoded() == receipt.outerBytes)
        #expect(PropertyListValue.dictionary(receipt.inner).encoded() == receipt.innerBytes)
    }

    @Test("A list cut at any byte is refused", arguments: names)
    func truncation(name: String) throws {
        let bytes = try Receipt(name).innerBytes
        for length in 0..<bytes.count {
            let error = #expect(throws: PropertyListError.self) {
                try PropertyListValue(parsing: Array(bytes[..<length]).span)
            }
            #expect(error?.code == PropertyListError.truncated)
        }
    }

    @Test("A list with any bit flipped is read or refused", arguments: names.prefix(4))
    func bitFlips(name: String) throws {
        var bytes = try Receipt(name).innerBytes
        let value = try PropertyListValue(parsing: bytes.span)
        for bit in 0..<bytes.count * 8 {
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let changed = try? PropertyListValue(parsing: bytes.span)
            if changed == value { #expect(Self.isBlank(bytes[bit / 8])) }
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }

    private func strings(_ entries: [PropertyListDictionary.Entry]) throws -> [String: String] {
        let pairs = try entries.map { ($0.key, try #require($0.value.string)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// A receipt taken apart.
    private struct Receipt {
        let outerBytes: [UInt8]
        let outer: PropertyListDictionary
        let innerBytes: [UInt8]
        let inner: PropertyListDictionary

        init(_ name: String) throws {
            let text = try Corpus.bytes(name).filter { $0 > 0x20 }
            outerBytes = try Base64.decode(text.span)
            outer = try Self.dictionary(outerBytes)
            let info = Array(try #require(outer["purchase-info"]?.string).utf8)
            innerBytes = try Base64.decode(info.span)
            inner = try Self.dictionary(innerBytes)
        }

        private static func dictionary(_ bytes: [UInt8]) throws -> PropertyListDictionary {
            let value = try PropertyListValue(parsing: bytes.span)
            return try #require(value.dictionary)
        }
    }
}
