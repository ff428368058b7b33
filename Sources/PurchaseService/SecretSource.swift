package import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON

/// Where a secret stands, which is never the configuration itself.
package enum SecretSource: Hashable, Sendable {
    /// In a file, which holds nothing else.
    case file(String)
    /// In a variable of the process's environment.
    case environment(String)

    /// Reads where one secret stands.
    init(_ object: ConfigurationObject, folder: String) throws(ConfigurationError) {
        let file = try object.name(.secretFile)
        let variable = try object.name(.secretVariable)
        switch (file, variable) {
        case (let file?, nil): self = .file(file.asFile(in: folder))
        case (nil, let variable?): self = .environment(variable)
        case (nil, nil): throw object.missing(.secretFile, ConfigurationError.missingKey)
        case (.some, .some):
            throw object.refusal(
                of: .secretVariable,
                ConfigurationError.wrongValue,
                "stands beside file; expected one of them"
            )
        }
    }
}

extension Configuration {
    /// Reads the shared secrets of all apps from where they stand.
    ///
    /// - Parameters:
    ///   - read: Gives the bytes of a file.
    ///   - variable: Gives a variable of the environment; nil for one that is not set.
    /// - Returns: The secrets, by bundle identifier.
    /// - Throws: `configuration.file_unreadable`, `configuration.secret_missing`.
    package func secrets(
        reading read: FileReader,
        variable: (String) -> String?
    ) throws(ConfigurationError) -> [String: [SharedSecret]] {
        var secrets: [String: [SharedSecret]] = [:]
        for (index, app) in apps.enumerated() {
            let list = JSONKeyPath.member(
                Self.path(ofApp: index),
                ConfigurationKey.sharedSecrets.name
            )
            for (number, source) in app.sharedSecrets.enumerated() {
                let secret = try secret(
                    in: source,
                    at: .element(list, number),
                    reading: read,
                    variable
                )
                secrets[app.bundleId, default: []].append(secret)
            }
        }
        return secrets
    }

    private func secret(
        in source: SecretSource,
        at path: JSONKeyPath,
        reading read: FileReader,
        _ variable: (String) -> String?
    ) throws(ConfigurationError) -> SharedSecret {
        let name: String
        let bytes: [UInt8]
        switch source {
        case .file(let file):
            name = ShownValue.name(file)
            do {
                bytes = try read(file)
            } catch {
                throw refusal(
                    ConfigurationError.fileUnreadable,
                    at: path,
                    "names \(name), which cannot be read: \(error)"
                )
            }
        case .environment(let word):
            name = "the variable \(ShownValue.name(word))"
            bytes = Array((variable(word) ?? "").utf8)
        }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let line = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        guard !line.isEmpty, !line.contains(where: { $0 < 0x20 }),
            let text = String(validating: Array(line), as: UTF8.self)
        else {
            throw refusal(
                ConfigurationError.secretMissing,
                at: path,
                "names \(name), which holds no secret; expected one line of text"
            )
        }
        return SharedSecret(id: name, text)
    }
}
