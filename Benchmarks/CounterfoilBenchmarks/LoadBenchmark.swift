import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import Glibc
import HTTP
import HTTPServer
import PurchaseServer
import PurchaseService
import Telemetry

/// A server to be measured under load by `wrk`: the real one, or one of the same engine whose
/// handler does nothing but return as many bytes.
struct LoadBenchmark {
    private static let now = SystemClock().now
    private static let bodies = 32

    /// Serves until SIGTERM; prints the port, and writes what `wrk` sends into a folder.
    static func serve(isEmpty: Bool, folder: String) async throws {
        let authority = try SigningAuthority(profile: AuthorityProfile(now: now, seed: 4))
        let requests = try requests(authority)
        try write(script(requests), to: "\(folder)/post.lua")
        ProcessMemory.keepFreed()
        let server = try server(authority)
        let answer = await server.handler(
            HTTPRequest(.post, "/sandbox/verifyReceipt", body: requests[0])
        )
        guard case .bytes(let body) = answer.body,
            String(decoding: body, as: UTF8.self)
                .contains("\"status\":0")
        else { preconditionFailure("the server does not verify its own receipts") }
        let fields = answer.fields
        let empty: HTTPHandler = { _ in HTTPResponse(.ok, fields: fields, body: body) }
        let handler = isEmpty ? empty : server.handler
        let engine = try MicroHTTPDServer(
            at: SocketAddress(parsing: "127.0.0.1:0"),
            handler: handler
        )
        let bound = try await engine.start()
        print("\(bound) \(requests[0].count) \(body.count)")
        fflush(nil)
        for await _ in TerminationSignals.stream() { break }
        await engine.stop(grace: .seconds(5))
    }

    /// Answers so many requests in memory, for a profiler to look at.
    static func profile(requests count: Int) async throws {
        let authority = try SigningAuthority(profile: AuthorityProfile(now: now, seed: 4))
        let requests = try requests(authority)
        let server = try server(authority)
        for index in 0..<count {
            let body = requests[index % requests.count]
            _ = await server.handler(HTTPRequest(.post, "/sandbox/verifyReceipt", body: body))
        }
    }

    private static func server(_ authority: SigningAuthority) throws -> Server {
        let configuration = try Configuration(
            parsing: Array(
                """
                {"listen": "127.0.0.1:0", "apps": [{"bundleId": "com.example.app",
                 "realm": "rehearsal", "anchors": ["root.pem"]}]}
                """.utf8
            ),
            folder: ""
        )
        let anchors = Array(authority.anchorsPEM.utf8)
        return try Server(
            configuration,
            reading: { _ in anchors },
            log: StandardErrorSink()
        )
    }

    private static func requests(_ authority: SigningAuthority) throws -> [[UInt8]] {
        let issuer = AppReceiptIssuer(authority: authority)
        return try (0..<bodies).map { index in
            let receipt = try issuer.issue(receipt(index))
            return Array("{\"receipt-data\":\"\(Base64.encode(receipt.span))\"}".utf8)
        }
    }

    static func receipt(_ index: Int) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: .productionSandbox,
            bundleId: "com.example.app",
            creationDate: now.advanced(by: .seconds(-60 - index))
        )
        receipt.inApp = (0..<10).map { period in
            let start = now.advanced(by: .seconds(-86_400 * 30 * period - 3600))
            var purchase = InAppPurchase(
                productId: "com.example.app.pro.month",
                transactionId: "\(2_000_000_000_000_000 + index * 100 + period)"
            )
            purchase.originalTransactionId = "\(2_000_000_000_000_000 + index * 100)"
            purchase.purchaseDate = start
            purchase.originalPurchaseDate = start
            purchase.expiresDate = start.advanced(by: .seconds(86_400 * 30))
            purchase.productType = .autoRenewableSubscription
            purchase.webOrderLineItemId = "\(2_000_000_000_100_000 + index * 100 + period)"
            purchase.isTrialPeriod = false
            purchase.isInIntroOfferPeriod = false
            return purchase
        }
        return receipt
    }

    /// A script for `wrk` that posts each of the bodies in turn.
    private static func script(_ requests: [[UInt8]]) -> [UInt8] {
        var text = "local bodies = {\n"
        for request in requests { text += "'\(String(decoding: request, as: UTF8.self))',\n" }
        text += """
            }
            local i = 0
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            function request()
              i = i % #bodies + 1
              return wrk.format(nil, "/sandbox/verifyReceipt", nil, bodies[i])
            end
            function done(summary, latency, requests)
              io.write(string.format("result %d %d %d %d %d\\n", summary.requests,
                summary.duration, latency:percentile(50), latency:percentile(99),
                summary.errors.connect + summary.errors.read + summary.errors.write
                + summary.errors.status + summary.errors.timeout))
            end

            """
        return Array(text.utf8)
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = fopen(path, "w")
        precondition(file != nil, "the folder can be written to")
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
