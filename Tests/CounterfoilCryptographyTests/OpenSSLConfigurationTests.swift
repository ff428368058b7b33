import CounterfoilBasics
import CounterfoilCryptography
import CounterfoilTestSupport
import Foundation
import Testing

@Suite("OpenSSL's configuration")
struct OpenSSLConfigurationTests {
    @Test("A configuration file that leaves OpenSSL without algorithms changes no verdict")
    func configuration() async {
        // In a process of its own: OpenSSL reads its configuration once.
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let file = try folder.write(
                "openssl.cnf",
                """
                openssl_conf = start
                [start]
                alg_section = algorithms
                providers = providers
                [algorithms]
                default_properties = fips=yes
                [providers]
                null = active
                [active]
                activate = 1
                """.utf8
            )
            setenv("OPENSSL_CONF", file, 1)
            if OutsideProgram.openssl.isPresent {
                let program = try OutsideProgram.openssl.run(["dgst", "-sha256", file])
                #expect(program.status != 0)
            }
            let (root, intermediate, leaf) = try TestAuthority().issued()
            let path = try TrustAnchors([root]).path(
                from: leaf,
                through: [intermediate],
                at: CivilTime(year: 2025, month: 6, day: 1).instant
            )
            #expect(path.anchor == root)
            let signature = try TestKeys.p256.signES256([1, 2, 3])
            #expect(try TestKeys.p256.publicKey.verifiesES256(signature, over: [1, 2, 3]))
            let again = try PrivateKey(pem: TestKeys.p384.pem().secret)
            #expect(again.publicKey.kind == .ellipticCurve(.p384))
            #expect(SecureRandom.bytes(8) != SecureRandom.bytes(8))
        }
    }
}
