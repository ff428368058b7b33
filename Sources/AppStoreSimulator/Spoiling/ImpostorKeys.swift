/// The keys that flaws need and no authority has, made when they are first needed.
enum ImpostorKeys {
    /// An RSA key of the usual size.
    static func usual() throws(SimulatorError) -> SigningKey { try madeUsual.get() }

    /// Another one, for an issuer.
    static func issuer() throws(SimulatorError) -> SigningKey { try madeIssuer.get() }

    /// An RSA key that is too short for all but iOS 6 receipts.
    static func short() throws(SimulatorError) -> SigningKey { try madeShort.get() }

    /// A key on P-256, for a signer of signed data.
    static func p256() throws(SimulatorError) -> SigningKey { try madeP256.get() }

    /// A key on P-384, for an issuer of such signers.
    static func p384() throws(SimulatorError) -> SigningKey { try madeP384.get() }

    /// Another one.
    static func otherP384() throws(SimulatorError) -> SigningKey { try madeOtherP384.get() }

    private static let madeUsual = made(bits: 2048)
    private static let madeIssuer = made(bits: 2048)
    private static let madeShort = made(bits: 1024)

    private static let madeP256 = made { () throws(SimulatorError) in try .p256() }
    private static let madeP384 = made { () throws(SimulatorError) in try .p384() }
    private static let madeOtherP384 = made { () throws(SimulatorError) in try .p384() }

    private static func made(bits: Int) -> Result<SigningKey, SimulatorError> {
        made { () throws(SimulatorError) in try .rsa(bits: bits) }
    }

    private static func made(
        _ key: () throws(SimulatorError) -> SigningKey
    ) -> Result<SigningKey, SimulatorError> {
        do {
            return .success(try key())
        } catch {
            return .failure(error)
        }
    }
}
