import CounterfoilBasics
import CounterfoilJSON

// The signature is not the signer's over these letters.
extension SignedDataFlaw {
    /// The signature itself is wrong.
    static let ofSignatures: [SignedDataFlaw] = [
        SignedDataFlaw(
            "signatureDER",
            .signature,
            "its signature is in DER, not the plain r and s",
            .signed { (draft, _) throws(SimulatorError) in
                draft.signature = try draft.key.sign(draft.signed.utf8, draft.digest)
            }
        ),
        signed("signatureShortened", "its signature has 63 bytes") { draft, _ in
            draft.signature.removeLast()
        },
        signed("signatureLengthened", "its signature has 65 bytes") { draft, _ in
            draft.signature.append(0)
        },
        signed("signatureZero", "its signature is all zeros") { draft, _ in
            draft.signature = [UInt8](repeating: 0, count: 64)
        },
        signed("signatureRZero", "r is zero") { draft, _ in
            draft.signature.replaceSubrange(..<32, with: repeatElement(0, count: 32))
        },
        signed("signatureSZero", "s is zero") { draft, _ in
            draft.signature.replaceSubrange(32..., with: repeatElement(0, count: 32))
        },
        signed("signatureROutOfRange", "r is the order of the curve") { draft, _ in
            draft.signature.replaceSubrange(..<32, with: orderOfP256)
        },
        signed("signatureSOutOfRange", "s is the order of the curve") { draft, _ in
            draft.signature.replaceSubrange(32..., with: orderOfP256)
        },
        signed("signatureRLargest", "r has every bit set") { draft, _ in
            draft.signature.replaceSubrange(..<32, with: repeatElement(0xFF, count: 32))
        },
        signed("signatureHalvesSwapped", "r and s are exchanged") { draft, _ in
            draft.signature = Array(draft.signature[32...] + draft.signature[..<32])
        },
        signed("signatureBitFlipped", "a bit of its signature was turned over") { draft, context in
            let place = Int.random(in: 0..<64, using: &context.random)
            draft.signature[place] ^= 1 << UInt8.random(in: 0..<8, using: &context.random)
        },
        signed("signatureRandom", "its signature is random") { draft, context in
            draft.signature = (0..<64).map { _ in UInt8.random(in: 0...255, using: &context.random)
            }
        },
        SignedDataFlaw(
            "signatureByAnotherKey",
            .signature,
            "another key signed it than its certificate's",
            .unsigned { (draft, _) throws(SimulatorError) in
                draft.key = try ImpostorKeys.p256()
            }
        ),
        SignedDataFlaw(
            "signatureOverOtherDigest",
            .signature,
            "its signature is over SHA-384, where ES256 is over SHA-256",
            .unsigned { (draft, _) throws(SimulatorError) in draft.digest = .sha384 }
        ),
        SignedDataFlaw(
            "signatureOverPayloadAlone",
            .signature,
            "its signature does not cover the header",
            .signed { (draft, _) throws(SimulatorError) in
                let payload = Base64.encode(draft.payload.span, .urlSafe)
                draft.signature = try draft.key.signPlain(
                    Array(payload.utf8).span,
                    draft.digest
                )
            }
        ),
    ]

    /// Something was exchanged after it was signed.
    static let ofExchanges: [SignedDataFlaw] = [
        SignedDataFlaw(
            "payloadChanged",
            .signature,
            "a member was added to the payload after it was signed",
            .signed { (draft, _) throws(SimulatorError) in
                try draft.changePayload { $0["rehearsal"] = true }
            }
        ),
        SignedDataFlaw(
            "expiryExtended",
            .signature,
            "the expiry date was put off after it was signed",
            needs: .expiresDate,
            .signed { (draft, _) throws(SimulatorError) in
                try draft.changePayload { payload in
                    let end = payload["expiresDate"]?.number?.int64 ?? 0
                    payload["expiresDate"] = JSONValue(end &+ 31_536_000_000)
                }
            }
        ),
        SignedDataFlaw(
            "headerChanged",
            .signature,
            "a member was added to the header after it was signed",
            .signed { (draft, _) throws(SimulatorError) in
                try draft.changeHeader { $0["cty"] = "JSON" }
            }
        ),
        SignedDataFlaw(
            "segmentsSwapped",
            .structure,
            "header and payload are exchanged",
            .signed { (draft, _) throws(SimulatorError) in
                swap(&draft.header, &draft.payload)
            }
        ),
        SignedDataFlaw(
            "payloadBitFlipped",
            .signature,
            "a bit of its payload was turned over after it was signed",
            .signed { (draft, context) throws(SimulatorError) in
                let place = Int.random(in: draft.payload.indices, using: &context.random)
                draft.payload[place] ^= 1 << UInt8.random(in: 0..<8, using: &context.random)
            }
        ),
    ]

    /// The order of the group on P-256 (SEC 2 §2.4.2): r and s are below it.
    private static let orderOfP256 =
        Hexadecimal.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        ?? []

    private static func signed(
        _ name: String,
        _ reason: String,
        _ change: @escaping SpoilStep<CompactDraft>
    ) -> SignedDataFlaw {
        SignedDataFlaw(name, .signature, reason, .signed(change))
    }
}
