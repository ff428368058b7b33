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

    @Test("A byte that is no letter is found wherever it stands")
    func strayBytes() throws {
        let text = Array(Base64.encode(Array(UInt8.min...UInt8.max).span).utf8)
        for offset in text.indices.dropLast(2) {
            for byte: UInt8 in [0x00, 0x20, 0x2D, 0x3D, 0x80, 0xFF] {
                var spoilt = text
                spoilt[offset] = byte
                #expect(throws: Base64.Failure.unexpectedByte(byte, offset: offset)) {
                    try Base64.decode(spoilt.span)
                }
            }
        }
    }

    @Test("Text is appended behind what a buffer holds")
    func appending() {
        var text = Array("data:".utf8)
        Base64.append(Array("any carnal pleasure".utf8).span, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == "data:YW55IGNhcm5hbCBwbGVhc3VyZQ==")
    }

    @Test("Hexadecimal goes both ways and refuses what is not")
    func hexadecimal() {
        #expect(Hexadecimal.encode([0, 0x1F, 0xFF]) == "001fff")
        #expect(Hexadecimal.decode("001FfF") == [0, 0x1F, 0xFF])
        #expect(Hexadecimal.decode("0") == nil)
        #expect(Hexadecimal.decode("0g") == nil)
    }
}
