package import CounterfoilBasics
package import CounterfoilJSON

/// Why a server cannot start with the configuration it was given.
package struct ConfigurationError: CodedError, Hashable {
    /// One of ``allCodes``.
    package let code: ErrorCode
    /// What was found and what is expected, with key path, line and column.
    package let reason: String

    package init(_ code: ErrorCode, _ reason: String, at position: JSONTextPosition? = nil) {
        self.code = code
        self.reason =
            position.map { "\(reason), at line \($0.line), column \($0.column)" } ?? reason
    }
}

extension ConfigurationError {
    /// The same error, its sentence preceded by the name of the configuration file.
    func inFile(_ name: String?) -> ConfigurationError {
        name.map { ConfigurationError(code, "\($0): \(reason)") } ?? self
    }
}

extension ConfigurationError {
    /// The configuration file cannot be read.
    package static let unreadable: ErrorCode = "configuration.unreadable"
    /// The file is not JSON with comments.
    package static let syntax: ErrorCode = "configuration.syntax"
    /// A key stands twice in one object.
    package static let duplicateKey: ErrorCode = "configuration.duplicate_key"
    /// A key that nobody knows here.
    package static let unknownKey: ErrorCode = "configuration.unknown_key"
    /// A key that must be there is not.
    package static let missingKey: ErrorCode = "configuration.missing_key"
    /// A value of another JSON type than the key's.
    package static let wrongType: ErrorCode = "configuration.wrong_type"
    /// A value of the right type that the key cannot have.
    package static let wrongValue: ErrorCode = "configuration.wrong_value"
    /// `listen` is no address and port.
    package static let invalidAddress: ErrorCode = "configuration.invalid_address"
    /// `proxy` is no address of a proxy.
    package static let invalidProxy: ErrorCode = "configuration.invalid_proxy"
    /// An entry of `trustedProxies` is no address and no range of addresses.
    package static let invalidNetwork: ErrorCode = "configuration.invalid_network"
    /// An app of realm rehearsal without `anchors`.
    package static let anchorsMissing: ErrorCode = "configuration.anchors_missing"
    /// `anchors` of an app of another realm.
    package static let anchorsMisplaced: ErrorCode = "configuration.anchors_misplaced"
    /// An app of realm xcode without `pinnedCertificates`.
    package static let pinsMissing: ErrorCode = "configuration.pinned_certificates_missing"
    /// `pinnedCertificates` of an app of another realm.
    package static let pinsMisplaced: ErrorCode = "configuration.pinned_certificates_misplaced"
    /// `environments` of an app of realm xcode, which has its own.
    package static let environmentsMisplaced: ErrorCode = "configuration.environments_misplaced"
    /// `transactionReceiptIssuers` of an app of realm xcode, which knows no such receipts.
    package static let issuersMisplaced: ErrorCode = "configuration.issuers_misplaced"
    /// An app that has Apple asked about receipts of which Apple knows nothing.
    package static let relayMisplaced: ErrorCode = "configuration.relay_misplaced"
    /// An app that stands twice.
    package static let duplicateApp: ErrorCode = "configuration.duplicate_app"
    /// A bundle identifier in two realms.
    package static let bundleIdInTwoRealms: ErrorCode = "configuration.bundle_id_in_two_realms"
    /// A product with two of credits, a duration and a group, which no product of the App Store has.
    package static let productOfTwoKinds: ErrorCode = "configuration.product_of_two_kinds"
    /// A product with a level and no group that it could be a level of.
    package static let levelWithoutGroup: ErrorCode = "configuration.level_without_group"
    /// Apps of a local App Store beside those of Apple's realms, where a record is kept.
    package static let databaseOfTwoPurposes: ErrorCode = "configuration.database_of_two_purposes"
    /// A file or a variable that is named for a secret holds none.
    package static let secretMissing: ErrorCode = "configuration.secret_missing"
    /// A file that the configuration names cannot be read.
    package static let fileUnreadable: ErrorCode = "configuration.file_unreadable"
    /// A file holds no certificate of the kind that it is named for.
    package static let notACertificate: ErrorCode = "configuration.not_a_certificate"
    /// A certificate that would answer for two realms.
    package static let certificateConflict: ErrorCode = "configuration.certificate_in_two_realms"

    /// Every code of this layer.
    package static let allCodes: [ErrorCode] = [
        unreadable, syntax, duplicateKey, unknownKey, missingKey, wrongType, wrongValue,
        invalidAddress, invalidNetwork, invalidProxy, anchorsMissing, anchorsMisplaced, pinsMissing,
        pinsMisplaced, environmentsMisplaced, issuersMisplaced, relayMisplaced, duplicateApp,
        bundleIdInTwoRealms, productOfTwoKinds, levelWithoutGroup, databaseOfTwoPurposes,
        fileUnreadable, notACertificate,
        certificateConflict,
    ]
}

extension Configuration {
    /// A refusal of the value at a path, with its file and its place in it, where there is one.
    package func refusal(
        _ code: ErrorCode,
        at path: JSONKeyPath,
        _ sentence: String
    ) -> ConfigurationError {
        ConfigurationError(code, "\(path) \(sentence)", at: source?.position(of: path))
            .inFile(file)
    }
}

/// A value of a configuration in a sentence.
///
/// A long one is cut. A text in PEM armour is not shown at all: it may be a private key that was
/// pasted where the name of its file belongs.
enum ShownValue {

    /// A value as JSON.
    static func json(_ value: JSONValue) -> String {
        guard let text = value.string else { return cut(value.description, to: 64) }
        return isArmour(text) ? armour : JSONValue.string(cut(text, to: 64)).description
    }

    /// The name of a file as it stands.
    static func name(_ name: String) -> String { isArmour(name) ? armour : cut(name, to: 256) }

    private static let armour = "a text in PEM armour (not shown)"

    private static func isArmour(_ text: String) -> Bool { text.contains("-----BEGIN") }

    private static func cut(_ text: String, to longest: Int) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > longest ? String(scalars.prefix(longest)) + "…" : text
    }
}

/// Something about a configuration that people should know and that stops nothing.
package struct ConfigurationWarning: Hashable, Sendable {
    /// A stable dotted code.
    package let code: ErrorCode
    /// One sentence.
    package let text: String

    /// Sandbox receipts are answered at the production address.
    package static let automaticEnvironment: ErrorCode = "configuration.automatic_environment"
    /// A root or pinned certificate has ended, so nothing signed since verifies.
    package static let certificateExpired: ErrorCode = "configuration.certificate_expired"
}
