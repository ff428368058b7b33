import CounterfoilASN1
import CounterfoilBasics
import CounterfoilCryptography

/// An authority that issued signers of iOS 6-style receipts, whose blob holds the signer alone.
///
/// Of Apple's two only the keys are known for certain, so they are carried as keys with the end of
/// their last certificate; any other is a certificate, which must lead to an anchor.
struct TransactionReceiptIssuer: Sendable {
    let name: String
    let key: PublicKey
    /// The SHA-1 key identifier by which signers name it.
    let keyIdentifier: [UInt8]
    /// When its last certificate ended.
    let notAfter: Instant
    /// The certificate, where there is one.
    let certificate: Certificate?

    /// What tells two issuers apart.
    var identity: [UInt8] { certificate?.der ?? keyIdentifier }

    init(_ certificate: Certificate) throws(VerificationError) {
        do {
            key = try PublicKey(certificate.subjectPublicKeyInfo)
        } catch {
            throw VerificationError(error)
        }
        name = certificate.subject.label
        keyIdentifier =
            certificate.subjectKeyIdentifier ?? certificate.subjectPublicKeyInfo.keyIdentifier
        notAfter = certificate.validity.notAfter
        self.certificate = certificate
    }

    private init(name: String, subjectPublicKeyInfo: String, notAfter: Instant) {
        do {
            let info = try SubjectPublicKeyInfo(
                Base64.decode(Array(subjectPublicKeyInfo.utf8).span)
            )
            key = try PublicKey(info)
            keyIdentifier = info.keyIdentifier
        } catch {
            preconditionFailure("a key that is built in cannot be read: \(error)")
        }
        self.name = name
        self.notAfter = notAfter
        certificate = nil
    }

    /// Apple's two: of blob version 2 (to 2016) and of version 3 (2016 to 2023).
    static let knownIssuers = [iTunesStore, developerRelations]

    private static let iTunesStore = TransactionReceiptIssuer(
        name: "Apple iTunes Store Certification Authority",
        subjectPublicKeyInfo: """
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEApLyvMpRDPgu8N4fNY4nyzNm+IE1atP6HZ9Ka3hpU\
            naLz34fkTMuTEXigMI80QcHTvmZtR2yYuOx61cndpeTqxnD0NdCR97PYChGZqzpiOr179FZP258kk1FQfCDV\
            Zk1m8xikE5YiFv0xp/Q5Zpv7YmlcS5+UqEvo7FtkWhh5ihZ1Y0KkSdmMM96te9Y5BPTinQppjOtLEihLNEgH\
            mw5Z+R9isAOfNrhOo9N1WdTzOgXKxTM7+MAGCQiT2+dNvxHzUiylFjUV80ECzQLR/PX4xYS9Y2qG1raZ9oau\
            X/0D1CiKWl2vvGV00fcaw5II9BytaegCTA6VFQe8vmpvwbOtoQIDAQAB
            """,
        notAfter: CivilTime(year: 2016, month: 5, day: 18, hour: 18, minute: 31, second: 30).instant
    )

    private static let developerRelations = TransactionReceiptIssuer(
        name: "Apple Worldwide Developer Relations Certification Authority",
        subjectPublicKeyInfo: """
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyjhUpstWqsgkOUjpjO7sX7h/JpG8NFN6znxjgGF3\
            ZF6lByO2Of5QLRVWWHAtfsRuwUqFPi/w3oQaoVfJr3sY/2r6FRJJFQgZrKrbKjLtlmNoUhU9jIrsv2sYleAD\
            rAF9lwVnzg6FlTdq7Qm2rmfNUWSfxlzRvFduZzWAdjakh4FuOI/YKxVOeyXYWr9Og8GN0pPVGnG1YJydM05V\
            +RJYDIa4Fg3B5XdFjVBIuist5JSF4ejEncZopbCj/Gd+cLoCWUt3QpE5ufXN4UzvwDtIjKblIV39amq7pxY1\
            YNLmrfNGKcnow4vpecBqYWcVsvD95Wi8Yl9uz5nd7xtj/pJlqwIDAQAB
            """,
        notAfter: CivilTime(year: 2023, month: 2, day: 7, hour: 21, minute: 48, second: 47).instant
    )
}
