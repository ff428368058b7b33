package import AppStoreModel
package import CounterfoilBasics
package import CounterfoilJSON

/// What signed data says of itself, proved by nobody.
///
/// As of ``UnprovedReceipt``: it serves to show a person what a refused document claims, and nothing
/// in it can become a ``Verified``. Reading never fails; what cannot be read is left out and remarked
/// on.
package struct UnprovedSignedData: Sendable {
    /// The kind, as far as the payload tells it.
    package private(set) var kind = SignedDataKind.unknown
    /// The payload; nil when there is no JSON object in the middle segment.
    package private(set) var payload: JSONObject?
    /// The instant that the payload states for its signing; nil when it states none.
    package private(set) var signingDate: Instant?
    /// Why not more could be read.
    package private(set) var remarks: [VerificationNote] = []

    /// Reads whatever can be read.
    package init(reading document: Document, limits: VerificationLimits = .default) {
        do {
            try read(CompactJWS(document.bytes, limits: limits), limits)
        } catch {
            remarks.append(VerificationNote(error.code, error.reason))
        }
    }

    private mutating func read(
        _ jws: CompactJWS,
        _ limits: VerificationLimits
    ) throws(VerificationError) {
        let payload = try SignedDataVerification.payload(of: jws, limits: limits)
        self.payload = payload
        kind = SignedDataKind(of: payload)
        signingDate = try SignedDataVerification.signingDate(of: payload, kind)
    }
}

extension Document {
    /// A text that must be a JWS, as it stands in another document.
    ///
    /// Nothing of it is mended: the App Store writes no white space there.
    package init(signedData text: String) {
        self.init(kind: .signedData, bytes: Array(text.utf8))
    }
}
