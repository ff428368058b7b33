/// The keys that flaws need and no authority has, made when they are first needed.
enum ImpostorKeys {
    /// An RSA key of the usual size.
    static func usual() throws(SimulatorError) -> SigningKey { try madeUsual.get() }

    /// Another one, for an issuer.
    static func issuer() throws(SimulatorError) -> SigningKey { try madeIssuer.get() }

    /// An RSA key that is too short for all but iOS 6 receipts.
    static func short() throws(SimulatorError) -> SigningKey { try madeShort.get() }

    private static let madeUsual = made(bits: 2048)
    private static let madeIssuer = made(bits: 2048)
    private static let madeShort = made(bits: 1024)

    private static func made(bits: Int) -> Result<SigningKey, SimulatorError> {
        do {
            return .success(try SigningKey.rsa(bits: bits))
        } catch {
            return .failure(error)
        }
    }
}
