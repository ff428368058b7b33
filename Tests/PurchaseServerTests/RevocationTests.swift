import AppStoreClient
import AppStoreSimulator
import AppStoreVerification
import CounterfoilBasics
import CounterfoilJSON
import CounterfoilTestSupport
import HTTP
import HTTPClient
import HTTPServer
import PurchaseService
import RevocationTestSupport
import Synchronization
import Telemetry
import Testing

@testable import PurchaseServer

/// A local App Store whose certificates state responders on loopback, a verifier, and what keeps
/// its register fresh over real sockets.
struct RevocationScene {
    private static let made = Result {
        try SigningAuthority(profile: AuthorityProfile(now: SystemClock().now, seed: 21))
    }

    let authority: SigningAuthority
    /// The ports of those who answer about the signer and about the intermediate of signed data.
    let ports: (signer: UInt16, intermediate: UInt16)
    let clock: VirtualClock
    let upkeep: RevocationUpkeep
    private let verifier: SignedDataVerifier
    private let failures: Failures

    /// The codes of what was not answered.
    private final class Failures: Sendable {
        let codes = Mutex<Set<ErrorCode>>([])
    }

    init(aheadBy ahead: Duration = .zero) throws {
        ports = (try OpenSSLResponder.freePort(), try OpenSSLResponder.freePort())
        authority = try Self.made.get()
            .stating(ports.signer, in: .signedDataSigner)
            .stating(ports.intermediate, in: .signedDataIntermediate)
        let register = RevocationRegister()
        verifier = SignedDataVerifier(
            trust: try .rehearsal(anchors: Array(authority.anchorsPEM.utf8)),
            revocation: register
        )
        clock = VirtualClock(at: SystemClock().now.advanced(by: ahead))
        var settings = HTTPClientSettings()
        settings.deadline = .seconds(5)
        let failures = Failures()
        self.failures = failures
        upkeep = RevocationUpkeep(
            of: register,
            fetcher: OCSPFetcher(try CurlClient(settings), hosts: HostRules(["127.0.0.1"])!),
            clock: clock,
            seed: 1
        ) { news in
            guard let error = news.error else { return }
            failures.codes.withLock { _ = $0.insert(error.code) }
        }
    }

    var failureCodes: Set<ErrorCode> { failures.codes.withLock { $0 } }

    /// Starts both responders and returns them; the intermediate is good.
    func responders(
        _ signer: [OpenSSLResponder.Status],
        signedBy other: SigningIdentity? = nil,
        holdingMinutes: Int = 1440
    ) throws -> [OpenSSLResponder] {
        let rows = signer.map { (authority[.signedDataSigner].certificate, $0) }
        let ofSigner = try OpenSSLResponder(
            for: authority[.signedDataIntermediate],
            signedBy: other,
            rows
        )
        try ofSigner.listen(at: ports.signer, holdingMinutes: holdingMinutes)
        let ofIntermediate = try OpenSSLResponder(
            for: authority[.signedDataRoot],
            [(authority[.signedDataIntermediate].certificate, .good)]
        )
        try ofIntermediate.listen(at: ports.intermediate)
        return [ofSigner, ofIntermediate]
    }

    /// Why a transaction that was signed some time ago is not proved; nil where it is.
    func verdict(signedAgo ago: Duration = .zero) throws -> ErrorCode? {
        let signedAt = clock.now.advanced(by: .zero - ago)
        let text = try SignedDataSpecification(.transaction, json: [0x7B, 0x7D], now: signedAt)
            .issue(by: authority)
        do throws(VerificationError) {
            _ = try verifier.transaction(CompactJWS(text), now: clock.now)
            return nil
        } catch {
            return error.code
        }
    }
}

extension SigningAuthority {
    fileprivate func stating(
        _ port: UInt16,
        in role: AuthorityRole
    ) throws(SimulatorError) -> SigningAuthority {
        try changing(role) {
            $0.setExtension(.authorityInfoAccess(ocspResponder: "http://127.0.0.1:\(port)/ocsp"))
        }
    }
}

@Suite("Revocation, from verifier to responder and back", .enabled(if: OpenSSLResponder.isPresent))
struct RevocationTests {
    private static let undecided: ErrorCode = "revocation.undecided"
    private static let revoked: ErrorCode = "revocation.revoked"

    /// Has a document undecided first, lets everybody be asked, and returns the scene.
    private func asked(_ scene: RevocationScene) async throws -> RevocationScene {
        #expect(try scene.verdict() == Self.undecided)
        await scene.upkeep.refresh()
        return scene
    }

    @Test("A document is undecided until its certificates are known to be good")
    func good() async throws {
        let scene = try RevocationScene()
        let responders = try scene.responders([.good])
        defer { responders.forEach { $0.stop() } }
        _ = try await asked(scene)
        #expect(try scene.verdict() == nil)
        #expect(scene.failureCodes.isEmpty)
        // Past the end of the answer nothing is known any more; asked again, it is.
        scene.clock.advance(to: scene.clock.now.advanced(by: .seconds(1441 * 60 + 300)))
        #expect(try scene.verdict() == Self.undecided)
    }

    @Test("What was signed before the revocation stays proved, what was signed after it does not")
    func revoked() async throws {
        let scene = try RevocationScene()
        let since = scene.clock.now.advanced(by: .seconds(-3600))
        let responders = try scene.responders([.revoked(at: since, reason: "cessationOfOperation")])
        defer { responders.forEach { $0.stop() } }
        _ = try await asked(scene)
        #expect(try scene.verdict(signedAgo: .seconds(3601)) == nil)
        #expect(try scene.verdict(signedAgo: .seconds(3000)) == Self.revoked)
        #expect(try scene.verdict() == Self.revoked)
    }

    @Test("Under a stolen key nothing is proved, whatever date it wrote")
    func compromised() async throws {
        let scene = try RevocationScene()
        let responders = try scene.responders([
            .revoked(at: scene.clock.now, reason: "keyCompromise")
        ])
        defer { responders.forEach { $0.stop() } }
        _ = try await asked(scene)
        #expect(try scene.verdict(signedAgo: .seconds(86_400 * 365)) == Self.revoked)
    }

    @Test("A certificate that the responder does not know stays undecided")
    func unknown() async throws {
        let scene = try RevocationScene()
        let responders = try scene.responders([])
        defer { responders.forEach { $0.stop() } }
        _ = try await asked(scene)
        #expect(try scene.verdict() == Self.undecided)
        #expect(scene.failureCodes == ["revocation.unknown_certificate"])
    }

    @Test("An answer whose time is over decides nothing")
    func expired() async throws {
        let scene = try RevocationScene(aheadBy: .seconds(7200))
        let responders = try scene.responders([.good], holdingMinutes: 1)
        defer { responders.forEach { $0.stop() } }
        _ = try await asked(scene)
        #expect(try scene.verdict() == Self.undecided)
        #expect(scene.failureCodes == ["revocation.not_current"])
    }

    @Test("An answer by somebody whom the issuer did not name decides nothing")
    func wrongResponder() async throws {
        let scene = try RevocationScene()
        let responders = try scene.responders(
            [.good],
            signedBy: scene.authority[.signedDataRoot]
        )
        defer { responders.forEach { $0.stop() } }
        _ = try await asked(scene)
        #expect(try scene.verdict() == Self.undecided)
        #expect(scene.failureCodes == ["revocation.responder_untrusted"])
    }

    @Test("A responder that has no time now is asked again, and so is one that is not there")
    func later() async throws {
        let scene = try RevocationScene()
        let tryLater: [UInt8] = [0x30, 0x03, 0x0A, 0x01, 0x03]
        let busy = try MicroHTTPDServer(at: .loopback(port: scene.ports.signer)) { _ in
            .content(.ok, "application/ocsp-response", tryLater)
        }
        _ = try await busy.start()
        _ = try await asked(scene)
        await busy.stop(grace: .zero)
        #expect(scene.failureCodes == ["revocation.responder_declined", "call.unreachable"])
        #expect(try scene.verdict() == Self.undecided)

        let responders = try scene.responders([.good])
        defer { responders.forEach { $0.stop() } }
        await scene.upkeep.refresh()
        #expect(try scene.verdict() == Self.undecided, "not before the distance is over")
        scene.clock.advance(to: scene.clock.now.advanced(by: .seconds(5)))
        await scene.upkeep.refresh()
        #expect(try scene.verdict() == nil)
    }

    @Test("A server asks beside its requests, and answers 21009 until it knows")
    func server() async throws {
        let port = try OpenSSLResponder.freePort()
        let authority = try Rehearsal.authority.stating(port, in: .receiptSigner)
        let responder = try OpenSSLResponder(
            for: authority[.intermediate],
            [(authority[.receiptSigner].certificate, .good)]
        )
        try responder.listen(at: port)
        defer { responder.stop() }
        let text = """
            { "revocation": { "check": "on", "hosts": ["127.0.0.1"] },
              "apps": [ { "bundleId": "com.example.app", "realm": "rehearsal",
                          "anchors": ["anchors.pem"] } ] }
            """
        let sink = MemorySink()
        let server = try Server(
            Configuration(parsing: Array(text.utf8)),
            reading: { _ in Array(authority.anchorsPEM.utf8) },
            clock: SystemClock(),
            log: sink
        )
        let receipt = try ReceiptSpecification(
            json: Array(#"{"environment": "Production"}"#.utf8),
            now: SystemClock().now
        ).issue(by: authority)
        try await server.runLive { address in
            let client = PatientClient(address)
            func status() async throws -> Int64? {
                let request = HTTPRequest(.post, "/verifyReceipt", body: body(receipt))
                let exchange = try await client.exchange(request)
                if exchange.field("Retry-After") != nil {
                    #expect(exchange.field("Retry-After") == "60")
                }
                return try exchange.json["status"]?.number?.int64
            }
            #expect(try await status() == 21009)
            var last: Int64? = 21009
            for _ in 0..<1000 where last == 21009 {
                try await Task.sleep(for: .milliseconds(10))
                last = try await status()
            }
            #expect(last == 0)
            let metrics = try await client.exchange(HTTPRequest(.get, "/metrics"))
            let exposition = String(decoding: metrics.body, as: UTF8.self)
            let line = #"counterfoil_revocation_requests_total{result="good"} 1"#
            #expect(exposition.contains(line))
        }
        #expect(try sink.lines(of: "revocation.good").count == 1)
    }

    @Test("A proxy that is none is an error with its place, and no client ends the start")
    func mistakes() async throws {
        let wrong = try Configuration(parsing: Array(#"{ "proxy": "proxy:3128" }"#.utf8))
        let error = #expect(throws: ConfigurationError.self) {
            try Server(wrong, log: MemorySink())
        }
        #expect(error?.code == ConfigurationError.invalidProxy)
        let on = Array(#"{ "revocation": { "check": "on" } }"#.utf8)
        let server = try Server(Configuration(parsing: on), log: MemorySink())
        await #expect(throws: HTTPServingError.self) {
            try await server.run(
                on: { address, limits, observer, handler throws(HTTPServingError) in
                    try MicroHTTPDServer(at: .loopback(port: 0), limits: limits, handler: handler)
                },
                until: {}
            )
        }
    }
}
