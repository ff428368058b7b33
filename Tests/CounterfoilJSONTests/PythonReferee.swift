import CounterfoilJSON
import CounterfoilTestSupport
import Foundation
import Testing

/// Python's `json`, an independent reader, asked about many texts in one process.
///
/// It is told to be as strict as RFC 8259 and this project: no NaN, no repeated keys, no lone
/// surrogates, UTF-8 only, one byte order mark at most; numbers are compared by their text.
enum PythonReferee {
    /// Each line of input is a text in base 64, and what this project writes for what it read
    /// in it, or `-` where it refused; each line of output is `agreed` or what Python found.
    private static let script = """
        import base64, json, sys

        def constant(name): raise ValueError(name)

        def members(pairs):
            if len({key for key, _ in pairs}) != len(pairs): raise ValueError("repeated key")
            return ("object", pairs)

        def strict(value):
            if isinstance(value, str): value.encode("utf-8")
            elif isinstance(value, list):
                for element in value: strict(element)
            elif isinstance(value, tuple) and value[0] == "object":
                for key, member in value[1]: strict(key); strict(member)
            return value

        def read(text):
            text = text.decode("utf-8")
            if text.startswith("\\ufeff"): text = text[1:]
            return strict(json.loads(text, parse_constant=constant, object_pairs_hook=members,
                parse_int=lambda t: ("number", t), parse_float=lambda t: ("number", t)))

        for line in sys.stdin:
            text, ours = line.rstrip("\\n").split(" ")
            try: theirs = ("read", read(base64.b64decode(text)))
            except (ValueError, RecursionError) as error: theirs = ("refused", str(error))
            if ours == "-": print("agreed" if theirs[0] == "refused" else "read")
            elif theirs[0] == "refused": print(theirs)
            else: print("agreed" if read(base64.b64decode(ours)) == theirs[1] else theirs[1])
        """

    /// The texts about which Python and this project disagree, with what Python found.
    static func disagreements(about texts: [[UInt8]]) throws -> [(text: String, verdict: String)] {
        let lines = texts.map { text in
            let ours =
                (try? JSONValue(parsing: text)).map { Data($0.document()).base64EncodedString() }
                ?? "-"
            return "\(Data(text).base64EncodedString()) \(ours)\n"
        }
        let folder = try Folder()
        let input = try folder.write("texts", lines.joined())
        let python = try #require(OutsideProgram.python)
        let outcome = try python.run(["-I", "-c", script], input: input)
        let verdicts = outcome.text.split(separator: "\n").map(String.init)
        guard verdicts.count == texts.count else { throw CocoaError(.fileReadCorruptFile) }
        return zip(texts, verdicts).filter { $1 != "agreed" }.map {
            (String(decoding: $0, as: UTF8.self).debugDescription, $1)
        }
    }
}
