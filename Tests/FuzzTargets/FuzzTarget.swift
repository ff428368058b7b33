/// A reader that takes any bytes, with what must hold whatever they are.
///
/// A trap, a hang and memory without bounds are findings by themselves; beyond those a target
/// throws ``Contradiction`` where two ways to the same answer differ.
package struct FuzzTarget: Sendable {
    /// The name, which is also that of the folder of kept inputs.
    package let name: String
    /// The longest input that is tried, in bytes.
    package let longestInput: Int
    /// Feeds the reader.
    package let check: @Sendable ([UInt8]) throws(Contradiction) -> Void

    /// Every target that must hold, those next to the bytes first.
    package static func all(_ issued: IssuedDocuments) -> [FuzzTarget] {
        [
            FuzzTarget(name: "ber", longestInput: 2048, check: checkBER),
            FuzzTarget(name: "certificate", longestInput: 4096, check: checkCertificate),
            FuzzTarget(name: "cms", longestInput: 8192, check: checkCMS),
            FuzzTarget(name: "payload", longestInput: 4096, check: checkPayload),
            FuzzTarget(name: "plist", longestInput: 4096, check: checkPropertyList),
            FuzzTarget(name: "base64", longestInput: 512, check: checkBase64),
            FuzzTarget(name: "transport", longestInput: 4096, check: checkTransport),
            FuzzTarget(name: "json", longestInput: 4096, check: checkJSON),
            FuzzTarget(name: "verifier", longestInput: 16_384) { bytes throws(Contradiction) in
                try checkVerifier(bytes, issued)
            },
            FuzzTarget(name: "jws", longestInput: 16_384) { bytes throws(Contradiction) in
                try checkSignedData(bytes, issued)
            },
            FuzzTarget(name: "claims", longestInput: 4096, check: checkClaims),
            FuzzTarget(name: "ocsp", longestInput: 4096) { bytes throws(Contradiction) in
                try checkResponse(bytes, issued)
            },
        ]
    }

    /// A target with a trap behind four bytes, which are looked at one after the other.
    ///
    /// Whoever finds it was led there by coverage; a fuzzer that does not find it finds nothing
    /// else either.
    package static let canary = FuzzTarget(name: "canary", longestInput: 64) {
        bytes throws(Contradiction) in
        guard bytes.count >= 4, bytes[0] == 0x63, bytes[1] == 0x66, bytes[2] == 0x6F,
            bytes[3] == 0x69
        else { return }
        throw Contradiction("the canary's trap was found")
    }
}

/// Two ways to the same answer that differ.
package struct Contradiction: Error, CustomStringConvertible {
    /// Which two, and how.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Checks that something holds which must hold for every input.
    static func unless(
        _ holds: Bool,
        _ description: @autoclosure () -> String
    ) throws(Contradiction) {
        guard holds else { throw Contradiction(description()) }
    }

    /// What a call returns that must not be refused.
    static func unlessSucceeds<Value>(
        _ description: String,
        _ body: () throws -> Value
    ) throws(Contradiction) -> Value {
        do {
            return try body()
        } catch {
            throw Contradiction("\(description): \(error)")
        }
    }
}

/// What is left of an attempt whose refusal is as good an answer as any.
func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do {
        return try body()
    } catch {
        return nil
    }
}
