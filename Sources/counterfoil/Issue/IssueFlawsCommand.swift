import AppStoreSimulator
import CommandLineInterface

/// `counterfoil issue flaws`: the ways in which a receipt can be spoiled.
enum IssueFlawsCommand {
    private enum Kind: String, CaseIterable {
        case receipt
        case transactionReceipt = "transaction-receipt"
    }

    static let command = Command(
        "flaws",
        "list the ways to spoil a receipt",
        discussion: [
            "Lists the names that --flaw takes, the kind of reason for which the receipt must then"
                + " be refused, and what is wrong with it: it must be refused because …"
        ],
        arguments: [kind],
        examples: [Command.Example("counterfoil issue flaws receipt", "those of app receipts")],
        action: run
    )

    private static let kind = Argument.optional(
        "KIND",
        .choice(of: Kind.self),
        "of which receipts; without it, of both"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let asked = invocation[kind]
        if asked != .transactionReceipt {
            try streams.output.lines(list(ReceiptFlaw.self, "App receipts"))
        }
        if asked == nil { try streams.output.line("") }
        if asked != .receipt {
            try streams.output.lines(list(TransactionReceiptFlaw.self, "iOS 6-style receipts"))
        }
        return .success
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
