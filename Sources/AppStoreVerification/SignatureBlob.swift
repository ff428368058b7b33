import CounterfoilBasics

/// The signature of an iOS 6-style receipt: a version byte, the signature, the length of the
/// certificate in four bytes, and the signer's certificate, which ends it.
struct SignatureBlob {
    /// 2 (to 2016, RSA-1024) or 3 (from 2016, RSA-2048).
    let version: UInt8
    let signature: ArraySlice<UInt8>
    let certificate: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) throws(VerificationError) {
        let signatureLength: Int
        switch bytes.first {
        case 2?: signatureLength = 128
        case 3?: signatureLength = 256
        default:
            throw VerificationError(
                VerificationError.signatureBlob,
                "the signature blob of \(bytes.count) bytes begins with the version "
                    + "\(bytes.first.map(String.init) ?? "(none)"), expected 2 or 3"
            )
        }
        let certificateStart = 1 + signatureLength + 4
        guard bytes.count > certificateStart else {
            throw VerificationError(
                VerificationError.signatureBlob,
                "the signature blob has \(bytes.count) bytes; version \(bytes[0]) has more than "
                    + "\(certificateStart)"
            )
        }
        let length = bytes[(certificateStart - 4)..<certificateStart].reduce(0) {
            $0 << 8 | Int($1)
        }
        guard bytes.count - certificateStart == length else {
            throw VerificationError(
                VerificationError.signatureBlob,
                "the signature blob announces a certificate of \(length) bytes at byte "
                    + "\(certificateStart) and has \(bytes.count - certificateStart)"
            )
        }
        version = bytes[0]
        signature = bytes[1..<(1 + signatureLength)]
        certificate = bytes[certificateStart...]
    }
}
