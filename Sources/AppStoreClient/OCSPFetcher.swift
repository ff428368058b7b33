package import CounterfoilBasics
package import CounterfoilCryptography
package import HTTP

/// Asks the responders of certificates' issuers, and brings back bytes that are still to be proved.
package struct OCSPFetcher: Sendable {
    private let client: any HTTPCalling
    private let hosts: HostRules

    /// Makes a fetcher.
    ///
    /// - Parameters:
    ///   - client: Sends the requests; one that follows no redirects and bounds answers.
    ///   - hosts: Who may be asked, whatever certificates say.
    package init(_ client: any HTTPCalling, hosts: HostRules = .apple) {
        self.client = client
        self.hosts = hosts
    }

    /// What the first responder that answers says to a question (RFC 6960 §A.1).
    ///
    /// - Parameter question: Which certificate, of a chain that was proved.
    /// - Returns: The content of an answer with the status 200, whatever it is.
    /// - Throws: ``OCSPFetchError``, of the last responder that was tried.
    package func response(to question: OCSPQuestion) async throws(OCSPFetchError) -> [UInt8] {
        var failure = OCSPFetchError(
            OCSPFetchError.noAddress,
            "\(question.certificate) names no responder that may be asked"
        )
        for address in question.responders.prefix(Self.mostResponders) {
            do throws(OCSPFetchError) {
                return try await response(to: question, at: url(address))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// A certificate of Apple's names one.
    private static let mostResponders = 2

    private func url(_ address: String) throws(OCSPFetchError) -> HTTPURL {
        let url: HTTPURL
        do {
            url = try HTTPURL(address)
        } catch {
            throw OCSPFetchError(OCSPFetchError.noAddress, error.reason)
        }
        guard url.scheme == .http, hosts.allow(url.host) else {
            throw OCSPFetchError(
                OCSPFetchError.hostNotAllowed,
                "the certificate names \(url.scheme.rawValue)://\(url.authority); expected http "
                    + "and one of \(hosts)"
            )
        }
        return url
    }

    private func response(
        to question: OCSPQuestion,
        at url: HTTPURL
    ) async throws(OCSPFetchError) -> [UInt8] {
        let call = HTTPCall(
            .post,
            url,
            fields: [
                .contentType: "application/ocsp-request", .accept: "application/ocsp-response",
            ],
            body: question.request()
        )
        let response: HTTPResponse
        do {
            response = try await client.call(call)
        } catch {
            throw OCSPFetchError(error)
        }
        guard response.status == .ok, case .bytes(let bytes) = response.body else {
            throw OCSPFetchError(
                OCSPFetchError.badStatus,
                "\(url.authority) answers with the status \(response.status), expected 200"
            )
        }
        return bytes
    }
}

/// Why no responder answered.
package struct OCSPFetchError: CodedError, Hashable {
    package let code: ErrorCode
    package let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ error: HTTPCallError) {
        code = error.code
        reason = error.reason
    }

    /// The certificate names no responder whose address can be read.
    package static let noAddress: ErrorCode = "revocation.no_address"
    /// The certificate names a host that is not to be asked.
    package static let hostNotAllowed: ErrorCode = "revocation.host_not_allowed"
    /// The responder's answer has another HTTP status than 200.
    package static let badStatus: ErrorCode = "revocation.bad_status"
}

/// Which hosts may be asked.
package struct HostRules: Hashable, Sendable {
    private let patterns: [String]

    /// Allows the hosts of patterns: a name, an address, or `*.` and a name for every name below it.
    ///
    /// Nil when a pattern is none of these.
    package init?(_ patterns: [String]) {
        for pattern in patterns where !Self.isPattern(pattern) { return nil }
        self.patterns = patterns.map { $0.lowercasedASCII }
    }

    private init(known patterns: [String]) { self.patterns = patterns }

    /// Every host of Apple's.
    package static let apple = HostRules(known: ["*.apple.com"])

    /// Whether a host, in lower case, may be asked.
    package func allow(_ host: String) -> Bool {
        patterns.contains { pattern in
            guard pattern.hasPrefix("*.") else { return pattern == host }
            return host.hasSuffix(pattern.dropFirst()) && host.utf8.count >= pattern.utf8.count
        }
    }

    private static func isPattern(_ pattern: String) -> Bool {
        let name = pattern.hasPrefix("*.") ? pattern.dropFirst(2) : pattern[...]
        let isAddress = name.contains(":") && pattern.utf8.count == name.utf8.count
        do throws(HTTPCallError) {
            let url = try HTTPURL(isAddress ? "http://[\(name)]/" : "http://\(name)/")
            return url.host == name.lowercased() && url.port == nil && url.target == "/"
        } catch {
            return false
        }
    }
}

extension HostRules: CustomStringConvertible {
    /// The patterns, with commas between them.
    package var description: String { patterns.joined(separator: ", ") }
}
