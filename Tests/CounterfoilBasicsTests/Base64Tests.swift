import CounterfoilBasics
import Foundation
import Testing

@Suite("Base 64")
struct Base64Tests {
    @Test(
        "Agrees with Foundation for every length up to 300",
        arguments: [Base64.Alphabet.standard, .urlSafe]
    )
    func roundTrip(alphabet: Base64.Alphabet) throws {
        var random = SeededRandom(seed: 64)
        for length in 0...300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64.encode(bytes.span, alphabet)
            if alphabet == .standard { #expect(text == Data(bytes).base64EncodedString()) }
            #expect(try Base64.decode(Array(text.utf8).span, alphabet) == bytes)
        }
    }

    @Test(
        "Says what does not fit and where",
        arguments: [
            ("QUJ*RA==", Base64.Failure.unexpectedByte(0x2A, offset: 3)),
            ("QUJD-A==", .unexpectedByte(0x2D, offset: 4)),
            ("QUJDR", .incompleteGroup(offset: 4)),
            ("QUJDRA", .incompleteGroup(offset: 4)),
            ("QUJDRB==", .strayBits(offset: 4)),
            ("Q===", .unexpectedByte(0x3D, offset: 1)),
            ("=QUJ", .unexpectedByte(0x3D, offset: 0)),
            ("QU=J", .unexpectedByte(0x3D, offset: 2)),
            ("====", .unexpectedByte(0x3D, offset: 0)),
        ]
    )
    func refusals(text: String, failure: Base64.Failure) {
        #expect(throws: failure) { try Base64.decode(Array(text.utf8).span) }
    }

    @Test("Hexadecimal goes both ways and refuses what is not")
    func hexadecimal() {
        #expect(Hexadecimal.encode([0, 0x1F, 0xFF]) == "001fff")
        #expect(Hexadecimal.decode("001FfF") == [0, 0x1F, 0xFF])
        #expect(Hexadecimal.decode("0") == nil)
        #expect(Hexadecimal.decode("0g") == nil)
    }
}
