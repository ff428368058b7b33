import CounterfoilJSON
import Testing

@Suite("Misuse of the JSON writer")
struct JSONWriterMisuseTests {
    @Test("A document without its value is not finished")
    func nothing() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            _ = writer.finish()
        }
    }

    @Test("A document with an open container is not finished")
    func unbalanced() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginArray()
            _ = writer.finish()
        }
    }

    @Test("An array is not closed as an object")
    func wrongBracket() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginArray()
            writer.endObject()
        }
    }

    @Test("A value in an object has a key")
    func missingKey() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.integer(1)
        }
    }

    @Test("A key has a value")
    func missingValue() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("a")
            writer.endObject()
        }
    }

    @Test("An element has no key")
    func keyInArray() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginArray()
            writer.key("a")
        }
    }

    @Test("A document has one value")
    func secondValue() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.integer(1)
            writer.integer(2)
        }
    }

    @Test("An object's literal has each key once")
    func duplicateKeys() async {
        await #expect(processExitsWith: .failure) {
            let object: JSONObject = ["a": 1, "a": 2]
            _ = object.count
        }
    }
}
