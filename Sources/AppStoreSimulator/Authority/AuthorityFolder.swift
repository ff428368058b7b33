import CounterfoilBasics
import CounterfoilCryptography

/// A folder that keeps a local App Store's authority, readable by its owner alone.
///
/// | file | content |
/// | --- | --- |
/// | `root.pem` | both roots, the issuers that iOS 6 receipts need, and what was replaced |
/// | `storekit.pem` | the certificate that StoreKit testing's receipts are pinned to |
/// | `storekit-signed-data.pem` | the one that its signed data is pinned to |
/// | `private/<role>.pem` | a role's private key and certificate |
///
/// All but the last are for whoever verifies. The folder appears as a whole or not at all; when two
/// processes make it at the same time, both use the one that was first.
public struct AuthorityFolder: Sendable {
    /// Where the folder is.
    public let path: String

    /// Where the certificates are that verifiers are given.
    public var anchorsPath: String { path + "/root.pem" }

    /// Where the certificate of StoreKit testing is.
    public var storeKitPath: String { path + "/storekit.pem" }

    /// Where the certificate of StoreKit testing's signed data is.
    public var storeKitSignedDataPath: String { path + "/storekit-signed-data.pem" }

    /// Names a folder; it need not be there.
    public init(path: String) {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        self.path = String(trimmed)
    }

    /// The authority in the folder, which is made where there is none.
    ///
    /// - Parameter profile: What the certificates of a new authority shall say.
    /// - Returns: The authority, the same at each call until another is saved.
    /// - Throws: `issue.folder_inaccessible`, `issue.folder_damaged`, `issue.key_unusable`.
    public func authority(
        orMaking profile: AuthorityProfile
    ) throws(SimulatorError) -> SigningAuthority {
        if try PrivateFile.entries(of: path).isEmpty,
            let made = try install({ () throws(SimulatorError) in
                try SigningAuthority(profile: profile)
            })
        {
            return made
        }
        return try PrivateFile.whileLocked(path) { () throws(SimulatorError) in
            try read(completing: profile)
        }
    }

    /// Changes the authority in the folder, which is made where there is none.
    ///
    /// No other process opens or changes the folder in between.
    ///
    /// - Parameters:
    ///   - profile: What the certificates of a new authority shall say.
    ///   - change: Makes another authority of the one in the folder, as by
    ///     ``SigningAuthority/rotating(_:at:seed:)``.
    /// - Returns: The changed authority.
    /// - Throws: What ``authority(orMaking:)`` and `change` throw.
    public func change(
        orMaking profile: AuthorityProfile,
        _ change: (SigningAuthority) throws(SimulatorError) -> SigningAuthority
    ) throws(SimulatorError) -> SigningAuthority {
        _ = try authority(orMaking: profile)
        return try PrivateFile.whileLocked(path) { () throws(SimulatorError) in
            let changed = try change(read(completing: profile))
            try Self.write(changed, in: path)
            return changed
        }
    }

    /// Whether an authority, or anything else, is in the folder already.
    ///
    /// - Throws: `issue.folder_inaccessible`.
    public func isFilled() throws(SimulatorError) -> Bool {
        try !PrivateFile.entries(of: path).isEmpty
    }

    /// Puts an authority in the place of the one in the folder, as after a rotation.
    ///
    /// Its anchors are written first, so that whatever was or will be signed can be verified at any
    /// moment.
    ///
    /// - Throws: `issue.folder_inaccessible`.
    public func save(_ authority: SigningAuthority) throws(SimulatorError) {
        if try PrivateFile.entries(of: path).isEmpty, try install({ authority }) != nil { return }
        try PrivateFile.whileLocked(path) { () throws(SimulatorError) in
            try Self.write(authority, in: path)
        }
    }
}

// MARK: - Reading

extension AuthorityFolder {
    private func read(
        completing profile: AuthorityProfile
    ) throws(SimulatorError)
        -> SigningAuthority
    {
        var identities: [AuthorityRole: SigningIdentity] = [:]
        for role in AuthorityRole.allCases { identities[role] = try identity(of: role) }
        guard identities[.root] != nil else {
            throw SimulatorError(
                SimulatorError.folderDamaged,
                "the folder \(path) is not empty and has no \(AuthorityRole.root.fileName)"
            )
        }
        let known = try anchors()
        var authority = SigningAuthority(identities: identities, retired: [])
        // Roles of later versions are made when a folder of an earlier one is first opened.
        for role in AuthorityRole.issuersFirst where identities[role] == nil {
            try authority.add(role, profile[role])
        }
        try requireIssued(authority)
        let current = Set(authority.anchors.map(\.der))
        authority.retired = known.filter { !current.contains($0.der) }
        let isComplete = current.isSubset(of: known.map(\.der))
        if identities.count < AuthorityRole.allCases.count || !isComplete {
            try Self.write(authority, in: path)
        }
        return authority
    }

    /// Refuses a folder whose files are of different moments: what it signs nobody would believe.
    private func requireIssued(_ authority: SigningAuthority) throws(SimulatorError) {
        for role in AuthorityRole.allCases {
            guard let issuer = role.issuer,
                !authority[role].certificate.isSigned(by: authority[issuer].certificate)
            else { continue }
            throw SimulatorError(
                SimulatorError.folderDamaged,
                "the certificate in \(path)/\(role.fileName) was not issued by that in "
                    + "\(path)/\(issuer.fileName); remove the first to have it made anew"
            )
        }
    }

    private func identity(of role: AuthorityRole) throws(SimulatorError) -> SigningIdentity? {
        let file = path + "/" + role.fileName
        guard let text = try PrivateFile.text(at: file) else { return nil }
        guard let certificates = PEM.blocks(in: text, label: PEM.certificate),
            certificates.count == 1
        else {
            throw SimulatorError(
                SimulatorError.folderDamaged,
                "found no single certificate in \(file)"
            )
        }
        let key = try SigningKey(pem: text)
        let certificate = try IssuedCertificate(der: certificates[0])
        guard certificate.publicKey == key.publicKey else {
            throw SimulatorError(
                SimulatorError.folderDamaged,
                "the certificate in \(file) is not that of the key beside it"
            )
        }
        return SigningIdentity(certificate: certificate, key: key)
    }

    private func anchors() throws(SimulatorError) -> [IssuedCertificate] {
        guard let text = try PrivateFile.text(at: anchorsPath) else { return [] }
        guard let blocks = PEM.blocks(in: text, label: PEM.certificate) else {
            throw SimulatorError(
                SimulatorError.folderDamaged,
                "found a certificate in \(anchorsPath) that is not whole"
            )
        }
        var certificates: [IssuedCertificate] = []
        for block in blocks { certificates.append(try IssuedCertificate(der: block)) }
        return certificates
    }
}

// MARK: - Writing

extension AuthorityFolder {
    /// Writes a new folder beside the place and moves it there; nil when one is there already.
    ///
    /// The folder is made before the authority, whose keys take a second, so that a place that
    /// cannot hold it is found at once.
    private func install(
        _ makeAuthority: () throws(SimulatorError) -> SigningAuthority
    ) throws(SimulatorError) -> SigningAuthority? {
        let draft = "\(path).\(Hexadecimal.encode(SecureRandom.bytes(8)))"
        defer { PrivateFile.removeTree(at: draft) }
        try PrivateFile.makeFolder(at: draft)
        try PrivateFile.makeFolder(at: draft + "/private")
        let authority = try makeAuthority()
        try Self.write(authority, in: draft)
        return try PrivateFile.moveFolder(draft, to: path) ? authority : nil
    }

    private static func write(
        _ authority: SigningAuthority,
        in folder: String
    ) throws(SimulatorError) {
        try PrivateFile.replace(folder + "/root.pem", with: authority.anchorsPEM, mode: 0o644)
        try PrivateFile.replace(folder + "/storekit.pem", with: authority.storeKitPEM, mode: 0o644)
        try PrivateFile.replace(
            folder + "/storekit-signed-data.pem",
            with: authority.storeKitSignedDataPEM,
            mode: 0o644
        )
        for role in AuthorityRole.allCases {
            let identity = authority[role]
            try PrivateFile.replace(
                folder + "/" + role.fileName,
                with: identity.key.pem() + identity.certificate.pem,
                mode: 0o600
            )
        }
    }
}

extension IssuedCertificate {
    /// Whether an issuer's key signed this certificate, which names the issuer.
    fileprivate func isSigned(by issuer: IssuedCertificate) -> Bool {
        do {
            let certificate = try Certificate(der)
            let above = try Certificate(issuer.der)
            let key = try PublicKey(above.subjectPublicKeyInfo, limits: .transactionReceipts)
            try certificate.verifySignature(by: key)
            return certificate.issuer == above.subject
        } catch {
            return false
        }
    }
}

extension AuthorityRole {
    /// Where a role's key and certificate are kept, within the folder.
    fileprivate var fileName: String { "private/\(name).pem" }
}
