import CounterfoilTestSupport
import Foundation
import Testing

/// The attributes of a receipt's payload as a walk of its BER in Python finds them.
enum PythonWalk {
    struct Attribute: Decodable, Hashable {
        var type: Int64
        var version: Int64
        var value: String
        var encoding: String?
    }

    /// Prints the attributes of the SET in a file as JSON.
    private static let script = """
        import json, sys
        data = open(sys.argv[1], "rb").read()
        def element(at):
            tag, length, at = data[at], data[at + 1], at + 2
            if length >= 0x80:
                size = length & 0x7F
                length, at = int.from_bytes(data[at:at + size], "big"), at + size
            return tag, at, at + length
        def integer(at):
            tag, start, end = element(at)
            assert tag == 2
            return int.from_bytes(data[start:end], "big", signed=True), end
        tag, at, end = element(0)
        assert tag == 0x31 and end == len(data)
        found = []
        while at < end:
            begin = at
            tag, start, at = element(at)
            assert tag == 0x30
            kind, start = integer(start)
            version, start = integer(start)
            tag, start, stop = element(start)
            assert tag == 4 and stop == at
            found.append({"type": kind, "version": version, "value": data[start:stop].hex(),
                          "encoding": data[begin:at].hex()})
        json.dump(found, sys.stdout)
        """

    static func attributes(of payload: [UInt8]) throws -> [Attribute] {
        let python = try #require(OutsideProgram.python)
        let folder = try Folder()
        let outcome = try python.run(["-c", script, folder.write("payload", payload)])
        try #require(outcome.succeeded, Comment(rawValue: outcome.errors))
        return try JSONDecoder().decode([Attribute].self, from: Data(outcome.output))
    }
}
