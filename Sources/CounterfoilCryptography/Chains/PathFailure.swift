import CCounterfoilOpenSSL
import CounterfoilASN1
import CounterfoilBasics

/// What OpenSSL found wrong with a path.
struct PathFailure {
    private let number: Int32
    private let certificate: Certificate?
    private let namesakes: Int
    private let anchorCount: Int
    private let judgedAt: Instant
    private let details: String?

    init(
        _ context: OpaquePointer,
        _ presented: borrowing CertificateStack,
        _ anchors: borrowing CertificateStack,
        judgedAt: Instant
    ) {
        number = unsafe X509_STORE_CTX_get_error(context)
        if let object = unsafe X509_STORE_CTX_get_current_cert(context) {
            certificate =
                unsafe presented.certificate(of: object) ?? anchors.certificate(of: object)
        } else {
            certificate = nil
        }
        let issuer = certificate?.issuer
        namesakes = (anchors.certificates + presented.certificates).count { $0.subject == issuer }
        anchorCount = anchors.certificates.count
        self.judgedAt = judgedAt
        details = OpenSSL.drainErrors()
    }

    /// The refusal, in our words.
    var error: ChainError {
        let (code, reason) = codeAndReason
        let words = [openSSLText, details].compactMap(\.self).joined(separator: "; ")
        return ChainError(code, reason, details: words)
    }

    private var codeAndReason: (ErrorCode, String) {
        switch number {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            (ChainError.untrustedRoot, missingIssuerReason)
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_CERT_UNTRUSTED:
            (ChainError.untrustedRoot, "the path ends at \(who), which is no trusted anchor")
        case X509_V_ERR_CERT_HAS_EXPIRED:
            (ChainError.expired, validityReason("had ended"))
        case X509_V_ERR_CERT_NOT_YET_VALID:
            (ChainError.notYetValid, validityReason("had not begun"))
        case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE:
            (ChainError.badSignature, "\(who) was not signed by the key of \(issuer)")
        case X509_V_ERR_INVALID_CA:
            invalidAuthority
        case X509_V_ERR_PATH_LENGTH_EXCEEDED:
            (ChainError.pathTooLong, "\(who) allows fewer authorities below it than there are")
        case X509_V_ERR_KEYUSAGE_NO_CERTSIGN:
            (ChainError.keyUsage, forbiddenUsageReason)
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION:
            (
                ChainError.unknownCriticalExtension,
                "\(who) has an extension that is critical and not known: \(criticalExtensions)"
            )
        default:
            (ChainError.invalid, "\(who) violates RFC 5280: \(openSSLText)")
        }
    }

    private var who: String {
        certificate.map { "the certificate of \($0.subject.label)" } ?? "a certificate"
    }

    private var issuer: String { certificate?.issuer.label ?? "its issuer" }

    /// OpenSSL passes over certificates that have the issuer's name but another key, and then tells
    /// no more than that it found none.
    private var missingIssuerReason: String {
        let places = "the \(anchorCount) trusted anchors and the certificates beside it"
        guard namesakes == 0 else {
            return "\(who) was issued by another key than those of the \(namesakes) certificates "
                + "of \(issuer) among \(places)"
        }
        return "found no certificate of \(issuer), the issuer of \(who), among \(places)"
    }

    /// OpenSSL has one word for certificates that are no authority and for authorities whose key
    /// usage does not allow it to sign certificates.
    private var invalidAuthority: (ErrorCode, String) {
        if certificate?.basicConstraints?.isAuthority == true,
            certificate?.keyUsage?.contains(.keyCertSign) == false
        {
            return (ChainError.keyUsage, forbiddenUsageReason)
        }
        return (
            ChainError.notAnAuthority,
            "\(who) issued another and is no certificate authority"
        )
    }

    private var forbiddenUsageReason: String {
        "\(who) issued another and its key usage does not allow that"
    }

    private func validityReason(_ what: String) -> String {
        guard let certificate else { return "a certificate \(what) at \(judgedAt)" }
        return "\(who) \(what) at \(judgedAt): it is valid from \(certificate.validity)"
    }

    private var criticalExtensions: String {
        (certificate?.extensions ?? []).filter(\.isCritical).map(\.identifier.description)
            .joined(separator: ", ")
    }

    private var openSSLText: String {
        unsafe String(cString: X509_verify_cert_error_string(Int(number)))
    }
}
