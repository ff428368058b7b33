import CounterfoilASN1

/// The parts of an OCSP response that signing it anew puts together again, found without its
/// reader and whatever else is wrong with it.
struct ResponseOutline {
    /// The ResponseData, tag and length included (RFC 6960 §4.2.1).
    var signed: [UInt8]
    /// The certificates that come along.
    var certificates: [[UInt8]]

    init(signed: [UInt8], certificates: [[UInt8]]) {
        self.signed = signed
        self.certificates = certificates
    }

    init(_ bytes: [UInt8]) throws(ASN1Error) {
        var document = try ASN1Reader(bytes.span)
        var fields = try document.nextContents(of: .sequence, in: bytes.span)
        try fields.skip(.enumerated, in: bytes.span)
        var explicit = try fields.nextContents(of: .contextSpecific(0), in: bytes.span)
        var typed = try explicit.nextContents(of: .sequence, in: bytes.span)
        try typed.skip(.objectIdentifier, in: bytes.span)
        let octets = try typed.nextRequired(.octetString, in: bytes.span)
        var encapsulated = try typed.encapsulated(in: octets)
        var basic = try encapsulated.nextContents(of: .sequence, in: bytes.span)
        signed = Array(bytes[try basic.nextRequired(.sequence, in: bytes.span).encoding])
        try basic.skip(.sequence, in: bytes.span)
        try basic.skip(.bitString, in: bytes.span)
        certificates = []
        guard !basic.isAtEnd else { return }
        var wrapper = try basic.nextContents(of: .contextSpecific(0), in: bytes.span)
        var list = try wrapper.nextContents(of: .sequence, in: bytes.span)
        while let element = try list.next(in: bytes.span) {
            certificates.append(Array(bytes[element.encoding]))
        }
    }

    /// How many certificates are answered for: the elements of the first SEQUENCE of ResponseData,
    /// which is that of the responses.
    func singleCount() throws(ASN1Error) -> Int {
        var document = try ASN1Reader(signed.span)
        var fields = try document.nextContents(of: .sequence, in: signed.span)
        while let element = try fields.next(in: signed.span) {
            guard element.tag == .sequence else { continue }
            var list = try fields.contents(of: element)
            var count = 0
            while try list.next(in: signed.span) != nil { count += 1 }
            return count
        }
        return 0
    }
}
