import CommandLineInterface

/// A small program with a row of every shape.
enum Sample {
    enum Format: String, CaseIterable {
        case text, json
    }

    struct Trouble: Error {}

    static let quiet = Option.flag("quiet", short: "q", "say nothing")

    static let bundleId = Option.value(
        "bundle-id",
        short: "b",
        .text.named("ID"),
        "the app it must be of"
    )
    static let format = Option.value(
        "format",
        .choice(of: Format.self),
        default: .text,
        "how the answer is written"
    )
    static let limit = Option.value(
        "limit",
        short: "l",
        .integer(in: 1...1_000_000).named("BYTES"),
        default: 65_536,
        "the most bytes that are read"
    )
    static let anchors = Option.list(
        "anchor",
        short: "a",
        .file,
        "a root certificate to trust instead of the built-in ones, PEM or DER"
    )
    static let strict = Option.flag("strict", short: "s", "refuse what could be read either way")
    static let files = Argument.list("FILE", atLeast: 1, .file, "what to verify")

    static let product = Option.required("product", .text.named("ID"), "what is bought")
    static let folder = Option.value("out", .directory, "where the files go")
    static let kind = Argument.required(
        "KIND",
        .word(of: ["receipt", "transaction"]),
        "what to issue"
    )
    static let count = Argument.optional("COUNT", .integer(in: 1...100), "how many")

    static let program = Program(
        name: "sample",
        version: "1.2.3",
        summary: "Verifies and issues documents",
        options: [quiet],
        commands: [
            Command(
                "verify",
                "verify documents",
                discussion: [
                    "Verifies documents and says for each what was found. A document that is "
                        + "refused is named with the reason.",
                    "Nothing is fetched from the network.",
                ],
                options: [bundleId, format, limit, anchors, strict],
                arguments: [files],
                examples: [
                    .init("sample verify receipt.b64 -b com.example.app", "one receipt of one app")
                ]
            ) { invocation, streams in
                try streams.output.line(
                    "\(invocation[files]) \(invocation[bundleId] ?? "-") \(invocation[format].rawValue)"
                )
                try streams.output.line(
                    "\(invocation[limit]) \(invocation[anchors]) \(invocation[strict])"
                )
                return invocation[quiet] ? .refused : .success
            },
            Command(
                "ledger",
                "look into the ledger",
                commands: [
                    Command("check", "check every entry") { _, _ in throw Trouble() },
                    Command("show", "show one entry") { _, _ in
                        throw UsageError("--from is later than --to", hints: ["swap them"])
                    },
                ]
            ),
            Command(
                "issue",
                "issue a document",
                options: [product, folder],
                arguments: [kind, count]
            ) { invocation, streams in
                let count = invocation[count].map { "\($0)" } ?? "one"
                try streams.output.line(
                    "\(count) \(invocation[kind]) of \(invocation[product])"
                )
                return .success
            },
            Command("secret", "not for everyone", isHidden: true) { _, _ in .undecided },
        ],
        explain: { Program.Failure("trouble: \($0)", hints: ["try again"], exitCode: .undecided) }
    )
}
