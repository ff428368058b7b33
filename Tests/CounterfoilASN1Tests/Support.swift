import CounterfoilASN1
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

/// The bytes of hexadecimal text that may have spaces.
func hex(_ text: String) throws -> [UInt8] {
    try #require(Hexadecimal.decode(text.filter { $0 != " " }))
}

/// The code of the ASN.1 error that a closure throws, or nil when it throws none.
func code(_ body: () throws -> Void) -> ErrorCode? {
    do {
        try body()
        return nil
    } catch {
        return (error as? ASN1Error)?.code
    }
}

/// Reads every element of a document, entering all that are constructed, and counts them.
@discardableResult
func readAll(
    _ document: [UInt8],
    rules: ASN1Rules = .ber,
    limits: ASN1Limits = .default
) throws -> Int {
    var count = 0
    let reader = try ASN1Reader(document.span, rules: rules, limits: limits)
    try visit(reader, in: document.span, depth: 0) { _, _ in count += 1 }
    return count
}

/// Visits every element that a reader has left, outer ones before those inside them.
func visit(
    _ reader: ASN1Reader,
    in bytes: Span<UInt8>,
    depth: Int,
    _ body: (ASN1Element, Int) -> Void
) throws(ASN1Error) {
    var reader = reader
    while let element = try reader.next(in: bytes) {
        body(element, depth)
        guard element.isConstructed else { continue }
        try visit(reader.contents(of: element), in: bytes, depth: depth + 1, body)
    }
}

/// Reads the one element of a document and hands it to a closure.
func first<Result>(
    _ document: [UInt8],
    rules: ASN1Rules = .ber,
    _ body: (ASN1Element, Span<UInt8>) throws -> Result
) throws -> Result {
    let bytes = document.span
    var reader = try ASN1Reader(bytes, rules: rules)
    guard let element = try reader.next(in: bytes) else {
        throw ASN1Error(ASN1Error.missingElement, at: 0, "found nothing")
    }
    return try body(element, bytes)
}

/// The bytes of a receipt of the corpus.
func receipt(_ name: String) throws -> [UInt8] {
    let text = try Corpus.bytes(name).filter { $0 > 0x20 }
    return try Base64.decode(text.span)
}
