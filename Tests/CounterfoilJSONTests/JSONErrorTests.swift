import CounterfoilBasics
import CounterfoilJSON
import Testing

@Suite("JSON errors")
struct JSONErrorTests {
    private static let provocations: [(ErrorCode, @Sendable () throws -> Void)] = [
        (JSONError.empty, { try read("") }),
        (JSONError.truncated, { try read("[") }),
        (JSONError.syntax, { try read("[,]") }),
        (JSONError.trailingContent, { try read("1 2") }),
        (JSONError.invalidNumber, { try read("01") }),
        (JSONError.unescapedControl, { try read("\"\n\"") }),
        (JSONError.invalidEscape, { try read(#""\a""#) }),
        (JSONError.loneSurrogate, { try read(#""\ud800""#) }),
        (JSONError.invalidUTF8, { _ = try JSONValue(parsing: [0x22, 0xFF, 0x22]) }),
        (JSONError.duplicateKey, { try read(#"{"a":1,"a":1}"#) }),
        (JSONError.tooLarge, { try read("[1]", JSONLimits(bytes: 2)) }),
        (JSONError.tooDeep, { try read("[[]]", JSONLimits(depth: 1)) }),
        (JSONError.tooManyValues, { try read("[1]", JSONLimits(values: 1)) }),
        (
            JSONError.unterminatedComment,
            { _ = try JSONValue(parsingConfiguration: Array("/*".utf8).span) }
        ),
        (
            JSONError.missingMember,
            {
                let members = JSONMembers([:] as JSONObject)
                _ = try members.required("a", members.string("a"))
            }
        ),
        (JSONError.wrongType, { _ = try JSONMembers(["a": [:]] as JSONObject).integer("a") }),
    ]

    private static func read(_ text: String, _ limits: JSONLimits = .default) throws {
        _ = try JSONValue(parsing: Array(text.utf8), limits: limits)
    }

    @Test("Each code can be provoked, and has the prefix of this floor")
    func codes() {
        #expect(Set(Self.provocations.map(\.0)) == Set(JSONError.allCodes))
        #expect(Set(JSONError.allCodes).count == JSONError.allCodes.count)
        for (code, provoke) in Self.provocations {
            let error = #expect(throws: JSONError.self) { try provoke() }
            #expect(error?.code == code)
            #expect(code.rawValue.hasPrefix("json."))
            #expect(error?.description.hasPrefix("\(code): ") == true)
        }
    }
}
