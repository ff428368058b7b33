import CounterfoilBasics
import CounterfoilCryptography

// `#expect` cannot take a span apart, so the tests hand over arrays.

func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    CounterfoilCryptography.constantTimeEqual(left.span, right.span)
}

extension MessageDigest {
    init(of bytes: [UInt8], _ algorithm: DigestAlgorithm) { self.init(of: bytes.span, algorithm) }
}

extension SHA256Digest {
    init(of bytes: [UInt8]) { self.init(of: bytes.span) }
}

extension PublicKey {
    func verifies(
        _ signature: [UInt8],
        over message: [UInt8],
        _ algorithm: SignatureAlgorithm
    ) throws(KeyError) -> Bool {
        try verifies(signature.span, over: message.span, algorithm)
    }

    func verifiesES256(_ signature: [UInt8], over message: [UInt8]) throws(KeyError) -> Bool {
        try verifiesES256(signature.span, over: message.span)
    }

    func recoverDigestAlgorithm(of signature: [UInt8]) -> DigestAlgorithm? {
        recoverDigestAlgorithm(of: signature.span)
    }
}

extension PrivateKey {
    convenience init(pem: String, limits: KeyLimits = .default) throws(KeyError) {
        try self.init(pem: Array(pem.utf8).span, limits: limits)
    }

    func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) throws(KeyError) -> [UInt8] {
        try sign(message.span, algorithm)
    }

    func signES256(_ message: [UInt8]) throws(KeyError) -> [UInt8] {
        try signES256(message.span)
    }
}
