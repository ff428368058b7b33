package import CounterfoilBasics
package import CounterfoilCryptography

/// Where questions about certificates come from, and where answers go to be proved.
package protocol RevocationDesk: Sendable {
    /// The certificates that somebody wants to know about, each of a chain that was proved.
    func questions() -> [OCSPQuestion]

    /// Proves an answer and lets it count.
    ///
    /// - Returns: Until when it counts.
    /// - Throws: Why it does not.
    func take(
        _ response: [UInt8],
        answering question: OCSPQuestion,
        now: Instant
    ) throws(Failure) -> Instant

    /// Why an answer does not count.
    associatedtype Failure: CodedError
}
