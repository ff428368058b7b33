import CounterfoilASN1
import CounterfoilBasics
import Testing

@Suite("ASN.1 reader")
struct ASN1ReaderTests {
    @Test("Reads fields in their order, in definite and indefinite lengths")
    func fields() throws {
        for form in [ASN1LengthForm.minimal, .padded(bytes: 6), .indefinite] {
            let document = DERWriter.bytes { writer in
                writer.sequence(length: form) { fields in
                    fields.integer(-129)
                    fields.objectIdentifier("1.2.840.113549.1.7.2")
                    fields.explicit(0, length: form) { $0.utf8String("Pâté") }
                    fields.boolean(true)
                }
            }
            let bytes = document.span
            var reader = try ASN1Reader(bytes)
            var fields = try reader.nextContents(of: .sequence, in: bytes)
            #expect(try fields.nextInt64(in: bytes) == -129)
            let type = try fields.nextRequired(.objectIdentifier, in: bytes)
            let isSignedData = type.isObjectIdentifier("1.2.840.113549.1.7.2", in: bytes)
            #expect(isSignedData)
            #expect(try fields.nextIfPresent(.contextSpecific(1), in: bytes) == nil)
            var explicit = try fields.nextContents(of: .contextSpecific(0), in: bytes)
            #expect(try explicit.nextRequired(.utf8String, in: bytes).text(in: bytes) == "Pâté")
            try explicit.requireEnd()
            #expect(try fields.nextBooleanIfPresent(in: bytes) == true)
            #expect(fields.isAtEnd)
            try reader.requireEnd()
        }
    }
}
