import CounterfoilBasics
import HTTP

/// Where verifyReceipt is asked.
package struct VerifyReceiptAddresses: Hashable, Sendable {
    /// The two addresses of Apple's endpoint, each for the receipts of one environment.
    package enum Side: String, Hashable, Sendable, CaseIterable {
        case production
        case sandbox

        /// The one for the other receipts.
        package var other: Side { self == .production ? .sandbox : .production }
    }

    private let production: HTTPURL
    private let sandbox: HTTPURL

    /// Makes a pair of addresses.
    ///
    /// Nil where one is none, or none that a receipt and a secret may be sent to: what comes back is
    /// signed by nobody, so it takes TLS, or this machine, for nobody on the way to read or write it.
    package init?(production: String, sandbox: String) {
        guard let production = Self.url(production), let sandbox = Self.url(sandbox) else {
            return nil
        }
        self.init(known: production, sandbox)
    }

    /// Makes the pair of a server that has both below one address, as ours does:
    /// `/verifyReceipt` and `/sandbox/verifyReceipt`; nil as above.
    package init?(below base: String) {
        let base = base.utf8.last == 0x2F ? String(base.dropLast()) : base
        self.init(
            production: base + "/verifyReceipt",
            sandbox: base + "/sandbox/verifyReceipt"
        )
    }

    private init(known production: HTTPURL, _ sandbox: HTTPURL) {
        self.production = production
        self.sandbox = sandbox
    }

    /// Apple's own.
    package static let apple = VerifyReceiptAddresses(
        known: HTTPURL(https: "buy.itunes.apple.com", "/verifyReceipt"),
        HTTPURL(https: "sandbox.itunes.apple.com", "/verifyReceipt")
    )

    /// The address of a side.
    subscript(side: Side) -> HTTPURL { side == .production ? production : sandbox }

    /// Whether one of the two is a host of Apple's.
    package var areApples: Bool { Side.allCases.contains { HostRules.apple.allow(self[$0].host) } }

    /// Whether both are addresses of this machine, to which no proxy leads.
    package var areOnThisMachine: Bool {
        Side.allCases.allSatisfy { Self.isThisMachine(self[$0].host) }
    }

    private static func url(_ text: String) -> HTTPURL? {
        let url: HTTPURL
        do {
            url = try HTTPURL(text)
        } catch {
            return nil
        }
        return url.scheme == .https || isThisMachine(url.host) ? url : nil
    }

    private static func isThisMachine(_ host: String) -> Bool {
        guard let address = IPAddress(host) else { return host == "localhost" }
        return IPNetwork.loopback.contains { $0.contains(address) }
    }
}
