import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilJSON

// What is wrong with the letters and the header. Signatures are genuine: made with the signer's key
// over the letters that stand there, wherever that can be.
extension SignedDataFlaw {
    /// The letters are not three segments of base64url.
    static let ofStructure: [SignedDataFlaw] = [
        text("empty", "there is nothing in it") { text, _ in text = "" },
        text("twoSegments", "the signature's segment is missing") { text, _ in
            text = text.split(separator: ".").prefix(2).joined(separator: ".")
        },
        text("fourSegments", "there is a fourth segment") { text, _ in text += ".e30" },
        text("segmentEmpty", "the payload's segment is empty") { text, _ in
            let segments = text.split(separator: ".")
            text = "\(segments[0])..\(segments[2])"
        },
        text("whiteSpaceBehind", "a line end follows the signature") { text, _ in text += "\n" },
        text("signatureStrayBits", "bits behind the signature's last byte are set") { text, _ in
            // 64 bytes are 85 letters and one that counts for two bits: A, Q, g or w.
            let twins: [Character: Character] = ["A": "B", "Q": "R", "g": "h", "w": "x"]
            let last = text.removeLast()
            text.append(twins[last] ?? "*")
        },
        unsigned("payloadPadded", .structure, "the payload's base64url is padded") { draft, _ in
            // White space in front of the payload makes up for a length that needs no padding.
            while draft.payload.count % 3 != 1 { draft.payload.insert(0x20, at: 0) }
            draft.payloadLetters = Base64.encode(draft.payload.span, .urlSafe) + "=="
        },
        unsigned("payloadOfOtherAlphabet", .structure, "the payload is not base64url but base 64") {
            (draft, _) throws(SimulatorError) in
            // Six question marks stand for a slash, wherever they begin.
            try draft.changePayload { $0["rehearsal"] = "??????" }
            let letters = Base64.encode(draft.payload.span)
            draft.payloadLetters = String(letters.prefix { $0 != "=" })
        },
        unsigned("payloadWithLineEnd", .structure, "there is a line end in the payload's letters") {
            (draft, _) in
            let letters = Base64.encode(draft.payload.span, .urlSafe)
            draft.payloadLetters = letters.prefix(4) + "\n" + letters.dropFirst(4)
        },
    ]

    /// The header names another algorithm than ES256, or none.
    static let ofAlgorithms: [SignedDataFlaw] = [
        algorithm("algorithmNone", "it says that nobody signed it (alg none)", "none"),
        SignedDataFlaw(
            "algorithmNoneUnsigned",
            .algorithm,
            "it says that nobody signed it (alg none), and nobody did",
            .signed { (draft, _) throws(SimulatorError) in
                try draft.changeHeader { $0["alg"] = "none" }
                draft.signature = []
            }
        ),
        algorithm("algorithmLowerCase", "it names the algorithm es256", "es256"),
        algorithm("algorithmArray", "its algorithm is an array", ["ES256"]),
        algorithm("algorithmMissing", "it names no algorithm", nil),
        SignedDataFlaw(
            "algorithmHS256",
            .algorithm,
            "its signature is a digest keyed with the signer's public key, which everybody has",
            .signed { (draft, _) throws(SimulatorError) in
                try draft.changeHeader { $0["alg"] = "HS256" }
                let key = PEM.text(of: draft.key.publicKey.der, label: "PUBLIC KEY")
                // As whoever mixes up public and shared keys computes it.
                let signed = Array(draft.signed.utf8)
                draft.signature =
                    SHA256Digest(authenticating: signed.span, key: Array(key.utf8).span).bytes
            }
        ),
        SignedDataFlaw(
            "algorithmRS256",
            .algorithm,
            "it is signed with RSA",
            .keys({ (authority, _) throws(SimulatorError) in
                try authority.replacingKey(of: .signedDataSigner, with: ImpostorKeys.usual())
            }) { (draft, _) throws(SimulatorError) in
                try draft.changeHeader { $0["alg"] = "RS256" }
            }
        ),
        SignedDataFlaw(
            "algorithmES384",
            .algorithm,
            "it is signed on P-384 with SHA-384",
            .keys({ (authority, _) throws(SimulatorError) in
                try authority.replacingKey(of: .signedDataSigner, with: ImpostorKeys.p384())
            }) { (draft, _) throws(SimulatorError) in
                try draft.changeHeader { $0["alg"] = "ES384" }
                draft.digest = .sha384
            }
        ),
    ].map(\.neededOfAppStore)

    /// The header is not what the App Store writes.
    static let ofHeaders: [SignedDataFlaw] = [
        unsigned("criticalHeader", .structure, "it has an extension that must be understood") {
            (draft, _) throws(SimulatorError) in
            try draft.changeHeader { header in
                header["crit"] = ["b64"]
                header["b64"] = true
            }
        },
        unsigned("headerNoObject", .structure, "its header is an array") { draft, _ in
            draft.header = [0x5B] + draft.header + [0x5D]
        },
        unsigned("headerKeysTwice", .structure, "its header names two algorithms") { draft, _ in
            draft.header.insert(contentsOf: #""alg":"none","#.utf8, at: 1)
        },
        unsigned("headerTooDeep", .limits, "its header nests arrays 60 deep") {
            (draft, _) throws(SimulatorError) in
            try draft.changeHeader { $0["deep"] = nested(60) }
        },
        unsigned("headerTooLong", .limits, "its header has more than 80,000 letters") {
            (draft, _) throws(SimulatorError) in
            try draft.changeHeader {
                $0["pad"] = .string(String(repeating: "A", count: 60_000))
            }
        },
        certificates("certificatesMissing", "no certificates are in its header") { _ in nil },
        certificates("certificatesEmpty", "its list of certificates is empty") { _ in [] },
        certificates("certificatesTwo", "the root is not among its certificates") {
            Array($0.prefix(2))
        },
        certificates("certificatesFour", "there are four certificates") { $0 + $0.suffix(1) },
        certificates("certificatesReversed", "its certificates begin with the root") {
            $0.reversed()
        },
        certificates("certificateNotBase64", "a certificate is not base 64") { certificates in
            [certificates[0].replacing("A", with: "*")] + certificates.dropFirst()
        },
        certificates("certificateNoText", "a certificate is a number") { certificates in
            certificates
        } and: {
            $0["x5c"] = .array([1] + ($0["x5c"]?.array ?? []).dropFirst())
        },
        certificates("certificateTruncated", "the signer's certificate is cut off") {
            [String($0[0].prefix($0[0].utf8.count / 8 * 4))] + $0.dropFirst()
        },
        certificates("certificateRandom", "the signer's certificate is random") { certificates in
            let bytes = AppReceiptDetails(seed: 64).bytes(600, for: "certificate")
            return [Base64.encode(bytes.span)] + certificates.dropFirst()
        },
    ].map(\.neededOfAppStore)

    /// An array in an array, so many of them.
    static func nested(_ depth: Int) -> JSONValue {
        (1..<depth).reduce([]) { value, _ in [value] }
    }
}

extension SignedDataFlaw {
    /// A flaw of the letters.
    static func text(
        _ name: String,
        _ reason: String,
        _ change: @escaping SpoilStep<String>
    ) -> SignedDataFlaw {
        SignedDataFlaw(name, .structure, reason, .text(change))
    }

    /// A flaw of what is signed.
    static func unsigned(
        _ name: String,
        _ reasonClass: ReasonClass,
        _ reason: String,
        _ change: @escaping SpoilStep<CompactDraft>
    ) -> SignedDataFlaw {
        SignedDataFlaw(name, reasonClass, reason, .unsigned(change))
    }

    /// A flaw of the algorithm's name alone.
    private static func algorithm(
        _ name: String,
        _ reason: String,
        _ value: JSONValue?
    ) -> SignedDataFlaw {
        unsigned(name, .algorithm, reason) { (draft, _) throws(SimulatorError) in
            try draft.changeHeader { $0["alg"] = value }
        }
    }

    /// A flaw of the certificates in the header, which are base 64.
    private static func certificates(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable ([String]) -> [String]?,
        and changeHeader: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) -> SignedDataFlaw {
        unsigned(name, .certificates, reason) { (draft, _) throws(SimulatorError) in
            try draft.changeHeader { header in
                let found = (header["x5c"]?.array ?? []).compactMap(\.string)
                header["x5c"] = change(found).map { .array($0.map(JSONValue.string)) }
                changeHeader(&header)
            }
        }
    }

    /// The flaw for documents of the App Store's signer alone.
    var neededOfAppStore: SignedDataFlaw {
        SignedDataFlaw(name, reasonClass, reason, needs: needs.union(.appStoreSigner), change)
    }
}
