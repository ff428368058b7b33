import AppStoreModel
import AppStoreSimulator
import CommandLineInterface
import CounterfoilBasics
import HTTP
import PurchaseService

/// `counterfoil demo`: a local App Store and a server that believes it, to try things out.
enum DemoCommand {
    static let command = Command(
        "demo",
        "a local App Store and a server, to try things out",
        discussion: [
            "Makes a certificate authority in memory, issues receipts of com.example.app with it,"
                + " and serves verifyReceipt for them; receipts that Apple signed are answered too,"
                + " of any app. Prints commands to paste. Ctrl-C ends it and removes its files."
        ],
        options: [listen, once],
        examples: [Command.Example("counterfoil demo", "at 127.0.0.1:8080, or a free port")],
        action: run
    )

    private static let listen = Option.value(
        "listen",
        .socketAddress,
        "where to listen"
    )
    private static let once = Option.flag("once", "stop after the first answer")

    private static let usualAddress = SocketAddress.loopback(port: 8080)

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let store = try DemoStore(now: SystemClock().now)
        var folder = try TemporaryFolder(named: "counterfoil-demo")
        let files = try store.write(to: &folder)
        let asked = invocation[listen]
        do {
            try await serve(files, at: asked ?? usualAddress, once: invocation[once], streams)
        } catch let error as HTTPServingError
            where error.code == HTTPServingError.addressInUse && asked == nil
        {
            let anyPort = SocketAddress.loopback(port: 0)
            try await serve(files, at: anyPort, once: invocation[once], streams)
        }
        return .success
    }

    private static func serve(
        _ files: DemoFiles,
        at address: SocketAddress,
        once: Bool,
        _ streams: Streams
    ) async throws {
        var configuration = try Configuration(file: files.configuration, reading: ServeCommand.read)
        configuration.listen = address.description
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)
        let firstAnswer: @Sendable () async -> Void = { for await _ in answers { return } }
        try await RunningServer.run(
            configuration,
            reading: ServeCommand.read,
            until: once ? firstAnswer : nil,
            observed: { _ in answered.yield() },
            started: { address in
                // Where nobody reads the introduction, the server serves all the same.
                try? streams.output.lines(DemoIntroduction(files, at: address).lines)
            }
        )
    }
}

/// Where everything lies that the demo's local App Store issued.
struct DemoFiles: Sendable {
    let anchor: String
    let receipt: String
    let transactionReceipt: String
    let configuration: String
}

/// The demo's local App Store; its keys never leave this process.
struct DemoStore {
    static let bundleId = "com.example.app"

    private let authority: SigningAuthority
    private let receipt: [UInt8]
    private let transactionReceipt: [UInt8]

    /// Makes the authority, which takes a second, and issues.
    init(now: Instant) throws {
        authority = try SigningAuthority(profile: AuthorityProfile(now: now))
        receipt = try AppReceiptIssuer(authority: authority).issue(Self.receipt(now))
        transactionReceipt = try TransactionReceiptIssuer(authority: authority)
            .issue(Self.transaction(now).receipt)
    }

    /// Writes what others need: the root, the receipts, and a configuration that believes them.
    func write(to folder: inout TemporaryFolder) throws(TemporaryFolderError) -> DemoFiles {
        DemoFiles(
            anchor: try folder.write("root.pem", authority.anchorsPEM),
            receipt: try folder.write("receipt.b64", Base64.encode(receipt.span) + "\n"),
            transactionReceipt: try folder.write(
                "transaction-receipt.b64",
                Base64.encode(transactionReceipt.span) + "\n"
            ),
            configuration: try folder.write("counterfoil.json", Self.configurationText)
        )
    }

    private static let configurationText = """
        {
          // This app's receipts come from the local App Store whose root lies beside this file.
          // No app of Apple's App Store is named, so the receipts of all of them are answered.
          "apps": [
            { "bundleId": "\(bundleId)", "realm": "rehearsal", "anchors": ["root.pem"] }
          ]
        }

        """

    private static func receipt(_ now: Instant) -> AppReceipt {
        var receipt = AppReceipt(
            receiptType: .productionSandbox,
            bundleId: bundleId,
            creationDate: now
        )
        receipt.applicationVersion = "42"
        let month: Int64 = 30 * 86_400
        for period in 0..<3 {
            let start = now.advanced(by: .seconds(month * Int64(period - 2) - 3600))
            var purchase = InAppPurchase(
                productId: "\(bundleId).pro.month",
                transactionId: String(2_000_000_000_000_001 + period)
            )
            purchase.productType = .autoRenewableSubscription
            purchase.originalTransactionId = "2000000000000001"
            purchase.purchaseDate = start
            purchase.originalPurchaseDate = now.advanced(by: .seconds(month * -2 - 3600))
            purchase.expiresDate = start.advanced(by: .seconds(month))
            purchase.isTrialPeriod = period == 0
            receipt.inApp.append(purchase)
        }
        return receipt
    }

    private static func transaction(_ now: Instant) -> TransactionPurchase {
        TransactionPurchase(
            bundleId: bundleId,
            productId: "\(bundleId).coins",
            transactionId: "1000000000000001",
            purchaseDate: now.advanced(by: .seconds(-86_400))
        )
    }
}

/// What the demo says when it runs: where everything is, and commands to paste.
struct DemoIntroduction {
    private let files: DemoFiles
    private let server: String

    init(_ files: DemoFiles, at address: SocketAddress) {
        self.files = files
        server = "http://\(address)"
    }

    var lines: [StyledText] {
        let tool = CommandLine.arguments.first ?? "counterfoil"
        return [
            "\("A local App Store and a purchase server", .bold) are running at \(server, .cyan)",
            "until you press Ctrl-C. The server believes this App Store for \(DemoStore.bundleId)",
            "alone, and Apple for every app.",
            "",
            "\("Verify the receipt that was issued just now:", .bold)",
            "",
            "  \(post("cat \(files.receipt)", to: "/sandbox/verifyReceipt"))",
            "",
            "\("The same for an iOS 6-style receipt:", .bold)",
            "",
            "  \(post("cat \(files.transactionReceipt)", to: "/sandbox/verifyReceipt"))",
            "",
            "\("And for a receipt of your own, in base 64 or as it is:", .bold)",
            "",
            "  \(post(#"base64 < YOUR-RECEIPT | tr -d '\n'"#, to: "/verifyReceipt"))",
            "",
            "  (21007 means, as with Apple: ask /sandbox/verifyReceipt.)",
            "",
            "\("What is in it, and why it is believed:", .bold)",
            "",
            "  \(tool) inspect --anchor \(files.anchor) \(files.receipt)",
            "",
        ]
    }

    /// A command that posts the text that another one prints.
    ///
    /// What is in base 64 already may be encoded once more: it is decoded twice, so the reader need
    /// not know in which form a receipt is.
    private func post(_ text: String, to path: String) -> String {
        #"printf '{"receipt-data":"%s"}' "$(\#(text))" "#
            + "| curl -s --data-binary @- \(server)\(path)"
    }
}
