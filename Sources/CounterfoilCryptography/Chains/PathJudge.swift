import CCounterfoilOpenSSL
import CounterfoilBasics

/// One judgement of a path by OpenSSL's `X509_verify_cert`.
enum PathJudge {
    /// The path from the first of the presented certificates to one of the anchors.
    static func path(
        from presented: borrowing CertificateStack,
        to anchors: borrowing CertificateStack,
        at instant: Instant
    ) throws(ChainError) -> CertificatePath {
        OpenSSL.clearErrors()
        let context = unsafe X509_STORE_CTX_new_ex(OpenSSL.context, nil)
        defer { unsafe X509_STORE_CTX_free(context) }
        guard let context = unsafe context,
            unsafe prepare(context, presented, anchors, at: instant)
        else {
            throw ChainError(
                ChainError.invalid,
                "OpenSSL would not judge the path",
                details: OpenSSL.drainErrors()
            )
        }
        guard unsafe X509_verify_cert(context) == 1 else {
            throw unsafe PathFailure(context, presented, anchors, judgedAt: instant).error
        }
        let chain = unsafe X509_STORE_CTX_get0_chain(context)
        var certificates: [Certificate] = []
        for index in 0..<Int32(unsafe counterfoil_certificates_count(chain)) {
            guard let object = unsafe counterfoil_certificates_get(chain, index),
                let certificate =
                    unsafe presented.certificate(of: object) ?? anchors.certificate(of: object)
            else { throw ChainError(ChainError.invalid, "OpenSSL's path has a stranger in it") }
            certificates.append(certificate)
        }
        guard let path = CertificatePath(certificates, judgedAt: instant) else {
            throw ChainError(ChainError.invalid, "OpenSSL's path has no certificates")
        }
        return path
    }

    private static func prepare(
        _ context: OpaquePointer,
        _ presented: borrowing CertificateStack,
        _ anchors: borrowing CertificateStack,
        at instant: Instant
    ) -> Bool {
        guard
            unsafe X509_STORE_CTX_init(context, nil, presented[0], presented.pointer) == 1,
            let parameters = unsafe X509_STORE_CTX_get0_param(context)
        else { return false }
        // Exactly these, and no store.
        unsafe X509_STORE_CTX_set0_trusted_stack(context, anchors.pointer)
        // Said explicitly, so that defaults registered elsewhere in the process have no say: SHA-1
        // and RSA-1024 are for the caller to refuse, and anchors win over what was presented.
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 0)
        unsafe X509_VERIFY_PARAM_set_depth(parameters, Int32(TrustAnchors.mostIntermediates))
        unsafe X509_VERIFY_PARAM_set_time(parameters, judgedSecond(instant))
        unsafe X509_STORE_CTX_set_verify_cb(context) { isGood, context in
            unsafe PathJudge.judge(isGood, context)
        }
        return unsafe X509_VERIFY_PARAM_set_flags(
            parameters,
            UInt(X509_V_FLAG_TRUSTED_FIRST)
        ) == 1
    }

    /// The second that an instant lies in, within the years that certificates can name: there is
    /// none outside for which a certificate could be valid, and OpenSSL's calendar ends there.
    private static func judgedSecond(_ instant: Instant) -> Int {
        let first = CivilTime(year: 0, month: 1, day: 1).millisecondsSinceEpoch
        let last = CivilTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
            .millisecondsSinceEpoch
        let milliseconds = min(max(instant.millisecondsSince1970, first), last)
        let seconds = milliseconds / 1000
        return Int(milliseconds % 1000 < 0 ? seconds - 1 : seconds)
    }

    /// Corrects OpenSSL in one point: notAfter is included in the time of validity
    /// (RFC 5280 §4.1.2.5), but OpenSSL takes the certificate for expired in that very second.
    private static func judge(_ isGood: Int32, _ context: OpaquePointer?) -> Int32 {
        guard isGood == 0,
            unsafe X509_STORE_CTX_get_error(context) == X509_V_ERR_CERT_HAS_EXPIRED,
            let certificate = unsafe X509_STORE_CTX_get_current_cert(context),
            let parameters = unsafe X509_STORE_CTX_get0_param(context),
            unsafe ASN1_TIME_cmp_time_t(
                X509_get0_notAfter(certificate),
                X509_VERIFY_PARAM_get_time(parameters)
            ) == 0
        else { return isGood }
        unsafe X509_STORE_CTX_set_error(context, X509_V_OK)
        return 1
    }
}
