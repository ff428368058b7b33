import CounterfoilBasics
import CounterfoilPropertyList
import Testing

@Suite("Writing property lists")
struct PropertyListWriterTests {
    @Test("Writes every kind of value in the App Store's layout")
    func layout() {
        let list: PropertyListValue = [
            "signature": "AQID", "empty": [:],
            "list": ["a", ["b": "c"], []],
            "data": .data([0x0F, 0xBD, 0x77, 0x01, 0xFF]), "none": .data([]),
        ]
        let expected = """
            {
            \t"signature" = "AQID";
            \t"empty" = {
            \t};
            \t"list" = (
            \t\t"a",
            \t\t{
            \t\t\t"b" = "c";
            \t\t},
            \t\t(
            \t\t)
            \t);
            \t"data" = <0fbd7701 ff>;
            \t"none" = <>;
            }
            """
        #expect(text(list) == expected)
    }

    @Test("Escapes what is not plain ASCII")
    func escapes() {
        let value = PropertyListValue.string("\"\\\n\t\r\u{0}\u{7F}é€😀")
        #expect(text(value) == #""\"\\\n\t\r\000\177\U00e9\U20ac\Ud83d\Ude00""#)
    }

    @Test("What was written is read again, whatever the shape", arguments: 0..<200)
    func roundTrip(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let value = randomValue(depth: 4, using: &random)
        #expect(try PropertyListValue(parsing: value.encoded().span) == value)
    }

    private func text(_ value: PropertyListValue) -> String {
        String(decoding: value.encoded(), as: UTF8.self)
    }

    private func randomValue(depth: Int, using random: inout SeededRandom) -> PropertyListValue {
        let count = Int.random(in: 0...4, using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 6 : 2), using: &random) {
        case 0:
            return .string(randomText(using: &random))
        case 1:
            return .data((0..<count * 3).map { _ in .random(in: 0...255, using: &random) })
        case 2, 3:
            return .array((0..<count).map { _ in randomValue(depth: depth - 1, using: &random) })
        default:
            var dictionary = PropertyListDictionary()
            for _ in 0..<count {
                let value = randomValue(depth: depth - 1, using: &random)
                _ = dictionary.append(value, for: randomText(using: &random))
            }
            return .dictionary(dictionary)
        }
    }

    private func randomText(using random: inout SeededRandom) -> String {
        let alphabet = Array("abc ;=\"\\'{}()<>,/*\n\t\u{0}\u{1B}\u{7F}éŁ€😀7")
        let count = Int.random(in: 0...12, using: &random)
        return String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? "a" })
    }
}
