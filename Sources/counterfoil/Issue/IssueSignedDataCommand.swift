import AppStoreSimulator
import CommandLineInterface
import CounterfoilBasics

/// `counterfoil issue transaction` and its kin: signed data (JWS), and notifications of both
/// versions.
enum IssueSignedDataCommand {
    static let all = [
        command(
            .transaction,
            "a transaction (JWS)",
            Command.Example(
                "counterfoil issue transaction --authority ca > transaction.jws",
                "a sandbox subscription of com.example.app that is open now"
            )
        ),
        command(
            .renewalInfo,
            "renewal info of a subscription (JWS)",
            Command.Example(
                #"counterfoil issue renewal-info --authority ca '{"autoRenewStatus": 0}'"#,
                "one that the customer turned off"
            )
        ),
        command(
            .appTransaction,
            "an app transaction (JWS)",
            Command.Example(
                #"counterfoil issue app-transaction --authority ca '{"environment": "Production"}'"#,
                "a download that was paid for"
            )
        ),
        notification,
        command(
            .realtimeRequest,
            "a retention request (JWS), in its body",
            Command.Example(
                "counterfoil issue realtime-request --authority ca --jws",
                "the JWS alone"
            )
        ),
    ]

    private static let isVersion1 = Option.flag("v1", "of version 1, which nobody signs")
    private static let flaw = IssueOptions.flaw(SignedDataFlaw.self)
    private static let jws = Option.flag("jws", "print the JWS alone, not the body around it")

    private static let options: [any Declared] = [
        IssueOptions.authority, IssueOptions.at, IssueOptions.seed, flaw,
    ]

    private static func command(
        _ kind: SignedDataSpecification.Kind,
        _ summary: String,
        _ example: Command.Example
    ) -> Command {
        let hasBody = kind == .realtimeRequest
        return Command(
            kind.rawValue,
            summary,
            discussion: [
                "SPEC's keys are Apple's own, of the payload; docs/ISSUING.md lists ours beside"
                    + " them. The same authority, SPEC, --seed and --at give the same header and"
                    + " payload; the signature is another one each time."
            ],
            options: options + (hasBody ? [jws] : []),
            arguments: [IssueOptions.specification],
            examples: [example],
            action: { invocation, streams in
                let text = try issue(kind, invocation, streams)
                try print(text, inBody: hasBody && !invocation[jws], streams)
                return .success
            }
        )
    }

    private static let notification = Command(
        "notification",
        "an App Store Server Notification, in its body",
        discussion: [
            "Prints what the App Store posts to your server: of version 2 a signedPayload with the"
                + " documents that belong to SPEC's notificationType; of version 1 a body with the"
                + " app's shared secret (password) and a receipt. SPEC's keys are Apple's own;"
                + " docs/ISSUING.md lists ours beside them."
        ],
        options: options + [isVersion1, jws],
        arguments: [IssueOptions.specification],
        examples: [
            Command.Example(
                #"counterfoil issue notification --authority ca '{"notificationType": "DID_RENEW"}'"#,
                "a renewal, with transaction and renewal info"
            ),
            Command.Example(
                #"counterfoil issue notification --authority ca --v1 '{"password": "secret"}'"#,
                "a first purchase, as version 1 tells it"
            ),
        ],
        action: runNotification
    )

    private static func runNotification(
        _ invocation: Invocation,
        _ streams: Streams
    ) async throws -> ExitCode {
        guard invocation[isVersion1] else {
            let text = try issue(.notification, invocation, streams)
            try print(text, inBody: !invocation[jws], streams)
            return .success
        }
        guard invocation[flaw] == nil, !invocation[jws] else {
            throw UsageError(
                .other(
                    "nobody signs a notification of version 1, so --flaw and --jws have no meaning"
                ),
                hints: [#"spoil the receipt in it: '{"receipt": {"flaw": "foreignRoot"}}'"#]
            )
        }
        let specification = try NotificationV1Specification(
            json: IssueOptions.json(invocation),
            now: IssueOptions.now(invocation),
            seed: invocation[IssueOptions.seed].map(UInt64.init)
        )
        let authority = try IssueOptions.openAuthority(invocation, streams)
        try streams.output.write(bytes: specification.issue(by: authority) + [0x0A])
        return .success
    }

    private static func issue(
        _ kind: SignedDataSpecification.Kind,
        _ invocation: Invocation,
        _ streams: Streams
    ) throws -> String {
        let specification = try SignedDataSpecification(
            kind,
            json: IssueOptions.json(invocation),
            now: IssueOptions.now(invocation),
            seed: invocation[IssueOptions.seed].map(UInt64.init),
            flaw: invocation[flaw]
        )
        let authority = try IssueOptions.openAuthority(invocation, streams)
        return try specification.issue(by: authority)
    }

    private static func print(_ text: String, inBody: Bool, _ streams: Streams) throws {
        let bytes = inBody ? SignedDataIssuer.body(signedPayload: text) : Array(text.utf8)
        try streams.output.write(bytes: bytes + [0x0A])
    }
}
