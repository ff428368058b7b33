import CounterfoilASN1
import CounterfoilBasics

// The receipt is genuinely signed with the key that its certificate states.
extension TransactionReceiptFlaw {
    static let ofCertificates: [TransactionReceiptFlaw] = [
        certificate("leafOfForeignIssuer", "the issuer's key did not sign the signer's") {
            (authority, role, _) throws(SimulatorError) in
            let issuer = authority[role.issuer ?? .root].certificate
            let impostor = SigningIdentity(certificate: issuer, key: try ImpostorKeys.issuer())
            return try authority.reissuing(role, signedBy: impostor)
        },
        certificate("leafOfUnknownIssuer", "the signer's issuer is one that nobody knows") {
            (authority, role, _) throws(SimulatorError) in
            try authority.changing(role.issuer ?? .root) { $0.subject = .nobody }
                .replacingKey(of: role.issuer ?? .root, with: ImpostorKeys.issuer())
        },
        certificate("leafSelfSigned", "the signer certified itself") {
            (authority, role, _) throws(SimulatorError) in
            try authority.reissuing(role, signedBy: authority[role])
        },
        certificate("leafUnderRoot", "the root issued the signer's, and no issuer is between") {
            (authority, role, _) throws(SimulatorError) in
            try authority.reissuing(role, signedBy: authority[.root])
        },
        certificate("leafExpired", "the signer's certificate was over when the purchase was made") {
            (authority, role, purchaseDate) throws(SimulatorError) in
            try authority.changing(role) {
                $0.notAfter = purchaseDate.wholeSecond.advanced(by: .seconds(-2))
            }
        },
        changed("leafSignatureBroken", "the signer's certificate was altered") { profile in
            profile.flaws.breaksSignature = true
        },
        changed("leafMarkerMissing", "the signer's marker is missing") { profile in
            profile.extensions.removeAll { markers.contains($0.objectIdentifier) }
        },
        changed("leafOfDeveloper", "the signer's marker is of a developer") { profile in
            profile.extensions.removeAll { markers.contains($0.objectIdentifier) }
            profile.extensions.append(.marker(OID.developerMarker))
        },
        changed("leafIsAuthority", "the signer may issue certificates") { profile in
            profile.setExtension(.basicConstraints(isAuthority: true))
        },
        changed("leafMayNotSign", "the signer's key is not for signatures") { profile in
            profile.setExtension(.keyUsage([.keyEncipherment]))
        },
        changed("leafExtensionUnknown", "a critical extension is unknown") { profile in
            profile.extensions.append(
                .encoded(ReceiptFlaw.unknownExtension, isCritical: true) { $0.null() }
            )
        },
        changed("leafAlgorithmsDiffer", "it names two signature algorithms") { profile in
            profile.flaws.statedDigest = profile.digest.other
        },
    ]

    private static let markers = [OID.transactionReceiptSignerMarker, OID.receiptSignerMarker]

    private static func certificate(
        _ name: String,
        _ reason: String,
        _ change: @escaping AuthorityStep
    ) -> TransactionReceiptFlaw {
        TransactionReceiptFlaw(name, .certificates, reason, .authority(change))
    }

    private static func changed(
        _ name: String,
        _ reason: String,
        _ change: @escaping @Sendable (inout CertificateProfile) -> Void
    ) -> TransactionReceiptFlaw {
        certificate(name, reason) { (authority, role, _) throws(SimulatorError) in
            try authority.changing(role, change)
        }
    }
}
