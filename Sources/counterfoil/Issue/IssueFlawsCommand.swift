import AppStoreSimulator
import CommandLineInterface

/// `counterfoil issue flaws`: the ways in which a document can be spoiled.
enum IssueFlawsCommand {
    private enum Kind: String, CaseIterable {
        case receipt
        case transactionReceipt = "transaction-receipt"
        case signedData = "signed-data"
    }

    static let command = Command(
        "flaws",
        "list the ways to spoil a document",
        discussion: [
            "Lists the names that --flaw takes, the kind of reason for which the document must then"
                + " be refused, and what is wrong with it: it must be refused because …"
        ],
        arguments: [kind],
        examples: [Command.Example("counterfoil issue flaws receipt", "those of app receipts")],
        action: run
    )

    private static let kind = Argument.optional(
        "KIND",
        .choice(of: Kind.self),
        "of which documents; without it, of all"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let kinds = invocation[kind].map { [$0] } ?? Kind.allCases
        for (index, kind) in kinds.enumerated() {
            if index > 0 { try streams.output.line("") }
            try streams.output.lines(list(kind))
        }
        return .success
    }

    private static func list(_ kind: Kind) -> [StyledText] {
        switch kind {
        case .receipt: list(ReceiptFlaw.self, "App receipts")
        case .transactionReceipt: list(TransactionReceiptFlaw.self, "iOS 6-style receipts")
        case .signedData: list(SignedDataFlaw.self, "Signed data (JWS)")
        }
    }

    private static func list<Flaw: DocumentFlaw>(_: Flaw.Type, _ title: String) -> [StyledText] {
        var table = Table([.init(""), .init(""), .init("")])
        for flaw in Flaw.allCases {
            table.append([
                "  \(flaw.name)", "\(flaw.reasonClass.rawValue, .dim)", "\(flaw.reason)",
            ])
        }
        return ["\(title, .bold)"] + table.lines()
    }
}
