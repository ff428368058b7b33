import AppStoreSimulator
import CommandLineInterface
import CounterfoilBasics

/// `counterfoil issue authority`: the folder of a local App Store's keys and certificates.
enum IssueAuthorityCommand {
    /// What the App Store has signed certificates of receipt signers with.
    private enum Digest: String, CaseIterable {
        case sha1 = "SHA-1"
        case sha256 = "SHA-256"
    }

    static let command = Command(
        "authority",
        "make, show or change the authority that signs",
        discussion: [
            "Makes the authority in DIR where there is none, changes it as asked, and shows it."
                + " ROLE is \(roles.dropLast().joined(separator: ", ")) or"
                + " \(roles[roles.count - 1])."
        ],
        options: [rotate, expire, digest, ocsp, at],
        arguments: [directory],
        examples: [
            Command.Example(
                "counterfoil issue authority ca --expire receipt-signer",
                "receipts dated later must be refused"
            )
        ],
        action: run
    )

    private static let roles = AuthorityRole.allCases.map(\.name)

    private static let directory = Argument.required(
        "DIR",
        .directory,
        "the folder, for its owner alone"
    )
    private static let rotate = Option.value(
        "rotate",
        .role,
        "new keys for a role and all that it issued"
    )
    private static let expire = Option.value(
        "expire",
        .role,
        "let the certificate of a role end"
    )
    private static let digest = Option.value(
        "digest",
        .choice(of: Digest.self),
        "of receipts and their signer's chain"
    )
    private static let ocsp = Option.value(
        "ocsp",
        .text("an address, as http://127.0.0.1:8888").named("URL"),
        "state an OCSP responder in the certificates"
    )
    private static let at = Option.value(
        "at",
        .instant,
        "the present, when that happens"
    )

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        let now = invocation[at] ?? SystemClock().now
        let folder = AuthorityFolder(path: invocation[directory])
        let wasFilled = try folder.isFilled()
        let profile = IssueOptions.profile(now: now)
        let isChange =
            invocation[rotate] != nil || invocation[expire] != nil || invocation[digest] != nil
            || invocation[ocsp] != nil
        let authority =
            if isChange {
                try folder.change(orMaking: profile) { authority throws(SimulatorError) in
                    try changed(authority, invocation, at: now)
                }
            } else {
                try folder.authority(orMaking: profile)
            }
        let heading: StyledText =
            switch (wasFilled, isChange) {
            case (false, _): "Made a local App Store's authority in \(folder.path, .cyan):"
            case (true, true): "Changed the authority in \(folder.path, .cyan):"
            case (true, false): "The authority in \(folder.path, .cyan):"
            }
        let summary = AuthoritySummary(authority: authority, folder: folder, now: now)
        try streams.output.lines([heading, ""] + summary.lines)
        return .success
    }

    /// The digest first, so that a rotation at the same time is one to the new digest.
    private static func changed(
        _ authority: SigningAuthority,
        _ invocation: Invocation,
        at now: Instant
    ) throws(SimulatorError) -> SigningAuthority {
        var authority = authority
        if let digest = invocation[digest] {
            authority = try authority.switching(to: digest == .sha1 ? .sha1 : .sha256)
        }
        if let url = invocation[ocsp] { authority = try authority.stating(ocspResponder: url) }
        if let role = invocation[rotate] {
            let seed = UInt64.random(in: 0...UInt64.max)
            authority = try authority.rotating(role, at: now, seed: seed)
        }
        if let role = invocation[expire] { authority = try authority.expiring(role, at: now) }
        return authority
    }
}

/// What is in an authority's folder, for a person.
private struct AuthoritySummary {
    let authority: SigningAuthority
    let folder: AuthorityFolder
    let now: Instant

    var lines: [StyledText] { certificates + [""] + files + [""] + warning }

    private var certificates: [StyledText] {
        var table = Table([
            .init("  role"), .init("signed"), .init("from"), .init("until"), .init(""),
        ])
        for role in AuthorityRole.allCases {
            let profile = authority[role].certificate.profile
            table.append([
                "  \(role.name)", "\(profile.digest.rawValue)", "\(day(profile.notBefore))",
                "\(day(profile.notAfter))", state(profile),
            ])
        }
        return table.lines()
    }

    private var files: [StyledText] {
        var table = Table([.init(""), .init("")])
        let count = authority.anchors.count
        let retired = authority.retired.count
        let note = retired == 0 ? "" : ", \(retired) of them replaced"
        table.append([
            "  \(folder.anchorsPath, .cyan)",
            "for --anchor and \"anchors\" (\(String(count)) certificates\(note))",
        ])
        table.append([
            "  \(folder.storeKitPath, .cyan)", "for --pinned-certificate, to believe Xcode's form",
        ])
        table.append([
            "  \(folder.storeKitSignedDataPath, .cyan)", "the same, for Xcode's signed data",
        ])
        table.append(["  \(folder.path + "/private", .cyan)", "the private keys"])
        return table.lines()
    }

    private var warning: [StyledText] {
        TextWrapping.lines(
            "For rehearsals only: whoever has these keys can make any document of an app that is"
                + " given this root.pem. Nobody who trusts Apple alone believes them.",
            width: 80
        ).map { StyledText($0) }
    }

    private func state(_ profile: CertificateProfile) -> StyledText {
        if profile.notAfter < now { return "\("ended", .red)" }
        return profile.notBefore > now ? "\("not valid yet", .yellow)" : ""
    }

    /// The day of an instant in UTC.
    private func day(_ instant: Instant) -> String { String(instant.description.prefix(10)) }
}

extension ValueReader where Value == AuthorityRole {
    /// What a certificate is for.
    fileprivate static var role: ValueReader {
        let names = AuthorityRole.allCases.map(\.name)
        return ValueReader(
            "one of \(names.joined(separator: ", "))",
            placeholder: "ROLE",
            completion: .words(names),
            read: { text in AuthorityRole.allCases.first { $0.name == text } }
        )
    }
}
