import AppStoreClient
import AppStoreModel
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON

extension Configuration {
    /// Gives the bytes of a file; what it throws is shown to the person who starts the server.
    package typealias FileReader = (_ path: String) throws -> [UInt8]

    /// More is not read: a file of this size is not one that a person wrote.
    private static let fileLimits = JSONLimits(bytes: 4 << 20, depth: 32, values: 100_000)

    /// Reads a configuration file; the files that it names are relative to it.
    ///
    /// - Throws: what is wrong first, with file, key path, line and column.
    package init(
        file path: String,
        reading read: FileReader
    ) throws(ConfigurationError) {
        let text: [UInt8]
        do {
            text = try read(path)
        } catch {
            throw ConfigurationError(
                ConfigurationError.unreadable,
                "the configuration file \(path) cannot be read: \(error)"
            )
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        do throws(ConfigurationError) {
            try self.init(parsing: text, folder: folder)
        } catch {
            throw error.inFile(path)
        }
        file = path
    }

    /// Reads the text of a configuration file.
    ///
    /// - Parameters:
    ///   - text: JSON with comments.
    ///   - folder: what stands before the names of files that do not begin with a slash.
    /// - Throws: what is wrong first, with key path, line and column.
    package init(
        parsing text: [UInt8],
        folder: String = ""
    ) throws(ConfigurationError) {
        let source: JSONConfigurationText
        do {
            source = try JSONConfigurationText(parsing: text, limits: Self.fileLimits)
        } catch {
            throw ConfigurationError(
                error.code == JSONError.duplicateKey
                    ? ConfigurationError.duplicateKey : ConfigurationError.syntax,
                error.reason
            )
        }
        self.init(source: source)
        try read(
            ConfigurationObject(source.value, of: .file, at: .document, in: source),
            folder: folder
        )
    }

    private mutating func read(
        _ file: ConfigurationObject,
        folder: String
    ) throws(ConfigurationError) {
        listen = try file.name(.listen) ?? listen
        if let bytes = try file.integer(.maxBodyBytes, in: 1024...(256 << 20)) {
            maxBodyBytes = Int(bytes)
        }
        trustedProxies = try file.names(.trustedProxies)?.map(\.text) ?? []
        clientAddressField =
            try file.word(.clientAddressField, ClientAddressField.self) ?? clientAddressField
        if let object = try file.object(.limits, .limits) {
            try limits.read(object)
        }
        if let object = try file.object(.deadlines, .deadlines) {
            try deadlines.read(object)
        }
        if let object = try file.object(.revocation, .revocation) {
            try revocation.read(object)
        }
        if let object = try file.object(.appleVerifyReceipt, .appleVerifyReceipt) {
            try appleVerifyReceipt.read(object)
        }
        proxy = try file.name(.proxy)
        if let text = try file.text(.database) {
            guard let address = DatabaseAddress(text, folder: folder) else {
                throw file.wrongValue(.string(text), .database)
            }
            database = address
        }
        for object in try file.objects(.apps, .app) ?? [] {
            apps.append(try AppConfiguration(object, folder: folder))
        }
        try refuseRepeatedApps()
        try refuseMisplacedRelays()
    }

    /// Each app stands once, and in one realm.
    private func refuseRepeatedApps() throws(ConfigurationError) {
        var seen: [String: Int] = [:]
        for (index, app) in apps.enumerated() {
            guard let earlier = seen.updateValue(index, forKey: app.bundleId) else { continue }
            let path = Self.path(ofApp: index)
            let other = apps[earlier].authority.realm
            let realm = app.authority.realm
            guard realm == other else {
                throw refusal(
                    ConfigurationError.bundleIdInTwoRealms,
                    at: path,
                    "puts \(app.bundleId) into realm \(realm), but apps[\(earlier)] puts it into "
                        + "realm \(other); expected each bundle identifier in one realm"
                )
            }
            throw refusal(
                ConfigurationError.duplicateApp,
                at: path,
                "repeats \(app.bundleId) of apps[\(earlier)]; expected each app once"
            )
        }
    }

    static func path(ofApp index: Int) -> JSONKeyPath {
        .element(.member(.document, ConfigurationKey.apps.name), index)
    }
}

extension Configuration.Limits {
    fileprivate mutating func read(_ object: ConfigurationObject) throws(ConfigurationError) {
        let range: ClosedRange<Int64> = 1...100_000
        if let number = try object.integer(.connections, in: range) { connections = Int(number) }
        if let number = try object.integer(.connectionsPerAddress, in: range) {
            connectionsPerAddress = Int(number)
        }
    }
}

extension Configuration.Deadlines {
    fileprivate mutating func read(_ object: ConfigurationObject) throws(ConfigurationError) {
        let range: ClosedRange<Duration> = .milliseconds(100)...(.seconds(3600))
        head = try object.duration(.head, in: range) ?? head
        body = try object.duration(.body, in: range) ?? body
        idle = try object.duration(.idle, in: range) ?? idle
        stop = try object.duration(.stop, in: range) ?? stop
    }
}

extension Configuration.Revocation {
    fileprivate mutating func read(_ object: ConfigurationObject) throws(ConfigurationError) {
        check = try object.word(.check, Check.self) ?? check
        guard let names = try object.names(.hosts) else { return }
        for (text, path) in names where HostRules([text]) == nil {
            throw object.wrongValue(.string(text), .hosts, at: path)
        }
        hosts = HostRules(names.map(\.text)) ?? hosts
    }
}

extension AppConfiguration {
    fileprivate init(
        _ object: ConfigurationObject,
        folder: String
    ) throws(ConfigurationError) {
        guard let bundleId = try object.name(.bundleId) else {
            throw object.missing(.bundleId, ConfigurationError.missingKey)
        }
        guard bundleId.utf8.count <= 255, bundleId.utf8.allSatisfy(Self.isBundleIdByte) else {
            throw object.wrongValue(.string(bundleId), .bundleId)
        }
        self.init(bundleId, try Authority(object, folder: folder))
        appAppleId = try object.integer(.appAppleId, in: 1...Int64.max)
        if let names = try object.names(.environments) {
            environments = try Self.environments(names, object)
        }
        transactionReceiptIssuers = try object.files(.transactionReceiptIssuers, folder) ?? []
        for secret in try object.objects(.sharedSecrets, .secret) ?? [] {
            sharedSecrets.append(try SecretSource(secret, folder: folder))
        }
        let rules = try object.object(.verifyReceipt, .verifyReceipt)
        environmentRule = try rules?.word(.environment, EnvironmentRule.self) ?? environmentRule
        relay = try rules?.word(.relay, RelayMode.self) ?? relay
        try productionRules.read(object)
    }

    private static func environments(
        _ names: [(text: String, path: JSONKeyPath)],
        _ object: ConfigurationObject
    ) throws(ConfigurationError) -> [StoreEnvironment] {
        let known: [StoreEnvironment] = [.production, .sandbox]
        var environments: [StoreEnvironment] = []
        for (text, path) in names {
            let environment = StoreEnvironment(rawValue: text)
            guard known.contains(environment), !environments.contains(environment) else {
                throw object.wrongValue(.string(text), .environments, at: path)
            }
            environments.append(environment)
        }
        guard !environments.isEmpty else { throw object.wrongValue([], .environments) }
        return environments
    }

    private static func isBundleIdByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension AppConfiguration.Authority {
    /// The realm, and that what belongs to one is there and what belongs to another is not.
    fileprivate init(
        _ object: ConfigurationObject,
        folder: String
    ) throws(ConfigurationError) {
        let realm = try object.word(.realm, Realm.self) ?? .appStore
        if realm != .rehearsal, object.has(.anchors) {
            throw object.refusal(
                of: .anchors,
                ConfigurationError.anchorsMisplaced,
                "is given in realm \(realm); expected anchors in realm rehearsal only"
            )
        }
        if realm != .xcode, object.has(.pinnedCertificates) {
            throw object.refusal(
                of: .pinnedCertificates,
                ConfigurationError.pinsMisplaced,
                "is given in realm \(realm); expected pinned certificates in realm xcode only"
            )
        }
        switch realm {
        case .appStore: self = .appStore
        case .rehearsal:
            let files = try object.files(
                .anchors,
                folder,
                orElse: ConfigurationError.anchorsMissing
            )
            self = .rehearsal(anchors: files)
        case .xcode:
            try Self.refuseWhatXcodeLacks(object)
            let files = try object.files(
                .pinnedCertificates,
                folder,
                orElse: ConfigurationError.pinsMissing
            )
            self = .xcode(pinnedCertificates: files)
        }
    }

    private static func refuseWhatXcodeLacks(
        _ object: ConfigurationObject
    ) throws(ConfigurationError) {
        let misplaced: [(ConfigurationKey, ErrorCode, String)] = [
            (.environments, ConfigurationError.environmentsMisplaced, "environments"),
            (.transactionReceiptIssuers, ConfigurationError.issuersMisplaced, "them"),
        ]
        for (key, code, what) in misplaced where object.has(key) {
            throw object.refusal(
                of: key,
                code,
                "is given in realm xcode; expected \(what) in realms appStore and rehearsal only"
            )
        }
    }
}

extension ConfigurationObject {
    /// A list of files, their names relative to a folder.
    fileprivate func files(
        _ key: ConfigurationKey,
        _ folder: String
    ) throws(ConfigurationError) -> [String]? {
        try names(key)?.map { $0.text.asFile(in: folder) }
    }

    /// A list of files that must be there with one file at least, else a refusal of that code.
    fileprivate func files(
        _ key: ConfigurationKey,
        _ folder: String,
        orElse code: ErrorCode
    ) throws(ConfigurationError) -> [String] {
        guard let files = try files(key, folder) else { throw missing(key, code) }
        guard !files.isEmpty else {
            throw refusal(of: key, code, "is []; expected \(key.expectation)")
        }
        return files
    }
}

extension String {
    /// The name of a file as it is opened: relative to a folder, which ends with a slash, unless it
    /// is absolute.
    func asFile(in folder: String) -> String {
        utf8.first == UInt8(ascii: "/") ? self : folder + self
    }
}
