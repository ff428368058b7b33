import AppStoreSimulator
import CommandLineInterface
import CounterfoilBasics

/// `counterfoil issue`: documents in genuine format, under a local App Store's own authority.
enum IssueCommand {
    static let command = Command(
        "issue",
        "make documents of a local App Store, to rehearse with",
        discussion: [
            "Issues receipts, signed data (JWS) and notifications in the App Store's format, signed"
                + " by an authority of your own that is kept in a folder. They are for rehearsals: only who is given the folder's"
                + " root.pem believes them."
        ],
        commands: [IssueReceiptCommand.command, IssueTransactionReceiptCommand.command]
            + IssueSignedDataCommand.all
            + [IssueAuthorityCommand.command, IssueFlawsCommand.command]
    )
}

/// What the commands that issue have in common.
enum IssueOptions {
    static let authority = Option.required(
        "authority",
        .directory.named("DIR"),
        "the authority's folder, made on first use"
    )
    static let seed = Option.value(
        "seed",
        .integer(in: 0...Int.max),
        "decides what is made up: ids, opaque bytes"
    )
    static let at = Option.value(
        "at",
        .instant,
        "the present, which dates are relative to"
    )
    static let specification = Argument.optional(
        "SPEC",
        .file,
        "a JSON file, - for standard input, or the JSON itself; without it, {}"
    )

    /// The most bytes of a specification that are read: tens of thousands of purchases.
    private static let specificationLimit = 16 << 20

    /// The instant that counts as the present.
    static func now(_ invocation: Invocation) -> Instant { invocation[at] ?? SystemClock().now }

    /// An option for the name of a flaw.
    static func flaw<Flaw: DocumentFlaw>(_ type: Flaw.Type) -> Option<Flaw?> {
        Option.value(
            "flaw",
            ValueReader(
                "the name of a flaw; 'counterfoil issue flaws' lists them",
                placeholder: "NAME",
                completion: .words(Flaw.allCases.map(\.name)),
                read: { Flaw(named: $0) }
            ),
            "spoil it, so that it must be refused"
        )
    }

    /// The text of the specification.
    ///
    /// - Throws: `InputError`.
    static func json(_ invocation: Invocation) throws(InputError) -> [UInt8] {
        guard let word = invocation[specification] else { return Array("{}".utf8) }
        // No file is named like an object; a list is none either, and its refusal says so.
        if let first = word.first(where: { !$0.isWhitespace }), "{[".contains(first) {
            return Array(word.utf8)
        }
        return try Input.read(word, limit: specificationLimit)
    }

    /// The authority in the folder; where it had to be made, standard error says so.
    static func openAuthority(
        _ invocation: Invocation,
        _ streams: Streams
    ) throws -> SigningAuthority {
        let folder = AuthorityFolder(path: invocation[authority])
        let isNew = try !folder.isFilled()
        let opened = try folder.authority(orMaking: profile(now: now(invocation)))
        if isNew {
            try streams.error.line("Made a new authority in \(folder.path, .cyan).")
        }
        return opened
    }

    /// What a new authority's certificates shall say, its serial numbers like nobody else's.
    static func profile(now: Instant) -> AuthorityProfile {
        AuthorityProfile(now: now, seed: UInt64.random(in: 0...UInt64.max))
    }

    /// Prints a document as apps send it.
    static func print(_ bytes: [UInt8], _ streams: Streams) throws {
        try streams.output.write(bytes: Array(Base64.encode(bytes.span).utf8) + [0x0A])
    }
}

/// `counterfoil issue receipt`: an app receipt.
private enum IssueReceiptCommand {
    static let command = Command(
        "receipt",
        "an app receipt (PKCS #7), in base 64",
        discussion: [
            "SPEC says what is in it and how it is signed; docs/ISSUING.md lists its keys. The same"
                + " authority, SPEC, --seed and --at give the same bytes."
        ],
        options: [IssueOptions.authority, IssueOptions.at, IssueOptions.seed, flaw],
        arguments: [IssueOptions.specification],
        examples: [
            Command.Example(
                "counterfoil issue receipt --authority ca > receipt.b64",
                "a sandbox receipt of com.example.app with a subscription"
            ),
            Command.Example(
                #"counterfoil issue receipt --authority ca '{"purchases": 5000}'"#,
                "five thousand periods of it"
            ),
        ],
        action: run
    )

    private static let flaw = IssueOptions.flaw(ReceiptFlaw.self)

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let specification = try ReceiptSpecification(
            json: IssueOptions.json(invocation),
            now: IssueOptions.now(invocation),
            seed: invocation[IssueOptions.seed].map(UInt64.init),
            flaw: invocation[flaw]
        )
        let authority = try IssueOptions.openAuthority(invocation, streams)
        try IssueOptions.print(specification.issue(by: authority), streams)
        return .success
    }
}

/// `counterfoil issue transaction-receipt`: an iOS 6-style receipt.
private enum IssueTransactionReceiptCommand {
    static let command = Command(
        "transaction-receipt",
        "an iOS 6-style receipt of one transaction, in base 64",
        discussion: [
            "SPEC says what is in it and how it is signed; docs/ISSUING.md lists its keys. The same"
                + " authority, SPEC, --seed and --at give the same bytes."
        ],
        options: [IssueOptions.authority, IssueOptions.at, IssueOptions.seed, flaw],
        arguments: [IssueOptions.specification],
        examples: [
            Command.Example(
                "counterfoil issue transaction-receipt --authority ca > old.b64",
                "a sandbox subscription, as apps without a receipt file send it"
            )
        ],
        action: run
    )

    private static let flaw = IssueOptions.flaw(TransactionReceiptFlaw.self)

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let specification = try TransactionReceiptSpecification(
            json: IssueOptions.json(invocation),
            now: IssueOptions.now(invocation),
            seed: invocation[IssueOptions.seed].map(UInt64.init),
            flaw: invocation[flaw]
        )
        let authority = try IssueOptions.openAuthority(invocation, streams)
        try IssueOptions.print(specification.issue(by: authority), streams)
        return .success
    }
}
