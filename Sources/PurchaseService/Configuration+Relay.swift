import AppStoreClient
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON

extension Configuration.AppleVerifyReceipt {
    mutating func read(_ object: ConfigurationObject) throws(ConfigurationError) {
        addresses = try Self.addresses(object) ?? addresses
        let range: ClosedRange<Duration> = .milliseconds(100)...(.seconds(25))
        patience.callDeadline =
            try object.duration(.callDeadline, in: range) ?? patience.callDeadline
        patience.deadline = try object.duration(.wholeDeadline, in: range) ?? patience.deadline
        if let number = try object.integer(.parallel, in: 1...100) { parallel = Int(number) }
        if let number = try object.integer(.waiting, in: 1...100_000) { waiting = Int(number) }
    }

    /// Both addresses or neither: whoever has one passed on has the other passed on, too, for each
    /// can have the other asked.
    private static func addresses(
        _ object: ConfigurationObject
    ) throws(ConfigurationError) -> VerifyReceiptAddresses? {
        let keys: [ConfigurationKey] = [.productionAddress, .sandboxAddress]
        guard keys.contains(where: { object.has($0) }) else { return nil }
        var texts: [String] = []
        for key in keys {
            guard let text = try object.text(key) else {
                throw object.missing(key, ConfigurationError.missingKey)
            }
            guard VerifyReceiptAddresses(production: text, sandbox: text) != nil else {
                throw object.wrongValue(.string(text), key)
            }
            texts.append(text)
        }
        return VerifyReceiptAddresses(production: texts[0], sandbox: texts[1])
    }
}

extension Configuration {
    /// Apple knows nothing of what others signed: a local App Store's receipts are asked about
    /// where its addresses are given, and then nobody else's are; Xcode's nowhere.
    func refuseMisplacedRelays() throws(ConfigurationError) {
        var asking: (index: Int, realm: Realm)?
        for (index, app) in apps.enumerated() where app.relay != .off {
            let realm = app.authority.realm
            if realm == .xcode {
                throw misplacedRelay(
                    ofApp: index,
                    "is given in realm xcode; expected off, for nobody else knows Xcode's receipts"
                )
            }
            if realm == .rehearsal, appleVerifyReceipt.addresses.areApples {
                throw misplacedRelay(
                    ofApp: index,
                    "is given in realm rehearsal; expected appleVerifyReceipt to name the local App "
                        + "Store's addresses, for Apple knows nothing of its receipts"
                )
            }
            if let asking, asking.realm != realm {
                throw misplacedRelay(
                    ofApp: index,
                    "has receipts of realm \(realm) asked about where apps[\(asking.index)] has "
                        + "those of realm \(asking.realm); expected one realm"
                )
            }
            asking = (index, realm)
        }
    }

    private func misplacedRelay(ofApp index: Int, _ sentence: String) -> ConfigurationError {
        let rules = JSONKeyPath.member(
            Self.path(ofApp: index),
            ConfigurationKey.verifyReceipt.name
        )
        return refusal(
            ConfigurationError.relayMisplaced,
            at: .member(rules, ConfigurationKey.relay.name),
            sentence
        )
    }
}
