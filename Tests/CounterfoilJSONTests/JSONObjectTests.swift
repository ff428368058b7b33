import CounterfoilJSON
import Testing

@Suite("JSON objects")
struct JSONObjectTests {
    @Test("Keep the order of their members, however they came")
    func order() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        object["a"] = nil
        #expect(object.keys == ["b", "c"])
        #expect(object["b"] == 4)
        #expect(object["a"] == nil)
        #expect(object["never"] == nil)
    }

    @Test("Find each member, in small objects and large ones", arguments: [1, 47, 48, 49, 50, 500])
    func lookup(count: Int) {
        var object = JSONObject()
        for number in 0..<count { object["key\(number)"] = JSONValue(number) }
        #expect(object.count == count)
        for number in 0..<count { #expect(object["key\(number)"] == JSONValue(number)) }
        object["key0"] = nil
        #expect(object["key0"] == nil)
        #expect(object.keys == (1..<max(1, count)).map { "key\($0)" })
        if count > 1 { #expect(object["key\(count - 1)"] == JSONValue(count - 1)) }
    }

    @Test("Tell keys apart that only look alike", arguments: [0, 60])
    func lookalikes(others: Int) {
        var object = JSONObject()
        for number in 0..<others { object["other\(number)"] = .null }
        object["app\u{212A}ey"] = "Kelvin sign"
        object["\u{212B}"] = "Angstrom sign"
        #expect(object["appKey"] == nil)
        #expect(object["A\u{30A}"] == nil)
        object["appKey"] = "letter"
        object["A\u{30A}"] = "letter and ring"
        #expect(object.count == others + 4)
        #expect(object["appKey"] == "letter")
        #expect(object["app\u{212A}ey"] == "Kelvin sign")
        #expect(object["\u{212B}"] == "Angstrom sign")
    }

    @Test("Are equal when they have the same members in whatever order")
    func equality() {
        let object: JSONObject = ["a": 1, "b": [true, ["c": "d"]]]
        let shuffled: JSONObject = ["b": [true, ["c": "d"]], "a": 1]
        #expect(object == shuffled)
        #expect(object.hashValue == shuffled.hashValue)
        #expect(object != ["a": 1, "b": [["c": "d"], true]])
        #expect(object != ["a": 1])
        #expect(object != ["a": 1, "c": [true, ["c": "d"]]])
    }
}
