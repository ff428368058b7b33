import CounterfoilJSON
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
    @Test(
        "Are taken as RFC 8259 §6 writes them",
        arguments: [
            "0", "-0", "1", "-1", "10", "0.5", "-0.0", "1e5", "1E5", "1e+5", "1e-5", "0e0",
            "1.25e10", "9007199254740993", "1e400", "123456789012345678901234567890",
        ]
    )
    func accepted(text: String) {
        #expect(JSONNumber(text: text)?.text == text)
    }

    @Test(
        "Are refused in any other form",
        arguments: [
            "", "-", "+1", "01", "-01", "00", ".5", "5.", "1.e5", "1e", "1e+", "e5", "1e5.0",
            "0x1F", "1_000", "1,5", " 1", "1 ", "NaN", "Infinity", "-Infinity", "--1", "1-", "١",
        ]
    )
    func refused(text: String) {
        #expect(JSONNumber(text: text) == nil)
    }

    @Test(
        "Give their exact integer or none",
        arguments: [
            ("0", 0), ("-0", 0), ("42", 42), ("-42", -42),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e400", nil),
            ("1.0", 1), ("1200e-2", 12), ("1.5e1", 15), ("12e-1", nil), ("1.5", nil),
            ("1e18", 1_000_000_000_000_000_000),
            ("1e19", nil), ("0e999999999999999999999999", 0), ("0.000e5", 0), ("1e-1", nil),
            ("1e-999999999999999999999999", nil), ("100000000000000000000000e-23", 1),
            ("0.00000000000000000000000000000012e32", 12), ("1e00000000000000000000002", 100),
        ] as [(String, Int64?)]
    )
    func integers(text: String, integer: Int64?) throws {
        #expect(try #require(JSONNumber(text: text)).int64 == integer)
    }

    @Test("Unsigned integers reach 2^64 − 1 and have no sign")
    func unsignedIntegers() {
        #expect(JSONNumber(text: "18446744073709551615")?.uint64 == UInt64.max)
        #expect(JSONNumber(text: "18446744073709551616")?.uint64 == nil)
        #expect(JSONNumber(text: "-1")?.uint64 == nil)
        #expect(JSONNumber(text: "-0")?.uint64 == 0)
    }

    @Test("Know whether they have a fraction, however large they are")
    func fractions() {
        for text in ["1", "1.0", "1e400", "-5e0", "123456789012345678901234567890", "15e-1e"] {
            #expect(JSONNumber(text: text)?.isInteger ?? true, "\(text)")
        }
        for text in ["1.5", "1e-1", "123456789012345678901234567890.5", "1e-400"] {
            #expect(JSONNumber(text: text)?.isInteger == false, "\(text)")
        }
    }

    @Test("Give the nearest double, and none where there is none")
    func doubles() {
        #expect(JSONNumber(text: "0.1")?.double == 0.1)
        #expect(JSONNumber(text: "-2.5e-3")?.double == -0.0025)
        #expect(JSONNumber(text: "1e400")?.double == nil)
        #expect(JSONNumber(text: "1e-400")?.double == 0)
        #expect(JSONNumber(0.1 as Double)?.text == "0.1")
        #expect(JSONNumber(1e300 as Double).flatMap { JSONNumber(text: $0.text) }?.double == 1e300)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(Double.infinity) == nil)
    }
}
