/// A run of letters that base 64 of any form, JWS and `\/` are written with.
struct EncodedRun {
    let letters: ArraySlice<UInt8>
    /// Where the first three dots stand.
    let dots: [Int]
}

/// The runs of a text.
struct EncodedRuns: Sequence, IteratorProtocol {
    private let text: ArraySlice<UInt8>
    private let isLetter = Self.isLetter
    private var offset: Int

    private static let isLetter: [Bool] = {
        var isLetter = [Bool](repeating: false, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_.\\"
        for letter in letters.utf8 { isLetter[Int(letter)] = true }
        return isLetter
    }()

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        offset = text.startIndex
    }

    /// The next run.
    mutating func next() -> EncodedRun? {
        while offset < text.endIndex, !isLetter[Int(text[offset])] { offset += 1 }
        guard offset < text.endIndex else { return nil }
        let start = offset
        var dots: [Int] = []
        while offset < text.endIndex, isLetter[Int(text[offset])] {
            if text[offset] == UInt8(ascii: "."), dots.count < 3 { dots.append(offset) }
            offset += 1
        }
        return EncodedRun(letters: text[start..<offset], dots: dots)
    }
}

/// Three runs of letters with dots between them, as signed data has them (RFC 7515 §7.1).
struct CompactToken {
    let header: ArraySlice<UInt8>
    let payload: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>

    static let dot: ArraySlice<UInt8> = [UInt8(ascii: ".")]

    init?(_ run: EncodedRun) {
        // The header is a JSON object, and base 64 of an opening brace begins with this letter.
        let letters = run.letters
        guard letters.first == UInt8(ascii: "e"), run.dots.count == 2 else { return nil }
        header = letters[..<run.dots[0]]
        payload = letters[(run.dots[0] + 1)..<run.dots[1]]
        signature = letters[(run.dots[1] + 1)...]
    }
}

/// The parts of an iOS 6-style receipt's signature: a version, the signature, the length of the
/// certificate, and the certificate.
struct ReceiptSignature {
    let version: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>
    let certificateLength: ArraySlice<UInt8>
    let certificate: ArraySlice<UInt8>

    init?(_ bytes: [UInt8]) {
        let count: Int
        switch bytes.first {
        case 2?: count = 128
        case 3?: count = 256
        default: return nil
        }
        // Behind the length stands the certificate, a SEQUENCE.
        guard bytes.count > count + 5, bytes[count + 5] == 0x30 else { return nil }
        version = bytes[..<1]
        signature = bytes[1...count]
        certificateLength = bytes[count + 1..<count + 5]
        certificate = bytes[(count + 5)...]
    }
}
