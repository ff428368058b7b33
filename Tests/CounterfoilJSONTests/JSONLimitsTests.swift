import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("Limits of reading JSON")
struct JSONLimitsTests {
    private func code(_ text: String, _ limits: JSONLimits) -> ErrorCode? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: Array(text.utf8), limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Bytes: the limit is read, one more is not")
    func bytes() {
        #expect(code("[1,2]", JSONLimits(bytes: 5)) == nil)
        #expect(code("[1,2]", JSONLimits(bytes: 4)) == JSONError.tooLarge)
        #expect(code("", JSONLimits(bytes: 0)) == JSONError.empty)
    }

    @Test("Depth: the limit is read, one more is not", arguments: [1, 2, 64, 512])
    func depth(limit: Int) {
        let limits = JSONLimits(depth: limit)
        let arrays = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(code(arrays, limits) == nil)
        #expect(code("[\(arrays)]", limits) == JSONError.tooDeep)
        #expect(code("{\"a\":\(arrays)}", limits) == JSONError.tooDeep)
        let objects =
            String(repeating: "{\"a\":", count: limit - 1) + "{}"
            + String(repeating: "}", count: limit - 1)
        #expect(code(objects, limits) == nil)
        #expect(code("{\"a\":\(objects)}", limits) == JSONError.tooDeep)
        #expect(code("[1,[2]]", JSONLimits(depth: 0)) == JSONError.tooDeep)
        #expect(code("1", JSONLimits(depth: 0)) == nil)
    }

    @Test("No limit asked for goes deeper than the deepest")
    func deepest() {
        let brackets = String(repeating: "[", count: 100_000)
        #expect(code(brackets, JSONLimits(depth: .max)) == JSONError.tooDeep)
        let deepest = JSONLimits.deepest
        let text = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
        #expect(code(text, JSONLimits(depth: .max)) == nil)
        #expect(code("[\(text)]", JSONLimits(depth: .max)) == JSONError.tooDeep)
    }

    @Test("Values: the limit is read, one more is not")
    func values() {
        for text in ["[1,2,3]", "{\"a\":1,\"b\":\"2\",\"c\":null}", "[[[0]]]", "[{\"a\":[]},{}]"] {
            #expect(code(text, JSONLimits(values: 4)) == nil, "\(text)")
            #expect(code(text, JSONLimits(values: 3)) == JSONError.tooManyValues, "\(text)")
        }
    }

    @Test("An envelope has the same limits as the same document read whole")
    func envelopes() throws {
        let text = Array(#"{"a":"b","c":"\n","d":[1]}"#.utf8)
        #expect(throws: Never.self) {
            try JSONEnvelope(parsing: text, limits: JSONLimits(bytes: 26, depth: 2, values: 5))
        }
        for limits in [JSONLimits(bytes: 25), JSONLimits(depth: 1), JSONLimits(values: 4)] {
            let error = #expect(throws: JSONError.self) {
                try JSONEnvelope(parsing: text, limits: limits)
            }
            let whole = #expect(throws: JSONError.self) {
                try JSONValue(parsing: text, limits: limits)
            }
            #expect(error == whole)
        }
    }
}
