/// One way to spoil a document that is otherwise in order.
///
/// A spoiled document has this flaw and no other: whatever can still be genuine is, so that a
/// verifier that overlooks the flaw finds nothing else to refuse. In code a flaw is named by a
/// literal, such as `"leafMarkerMissing"`.
public protocol DocumentFlaw: CaseIterable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
where StringLiteralType == StaticString {
    /// The flaw's name, which stays the same in later versions.
    var name: String { get }
    /// The kind of reason for which the document must be refused.
    var reasonClass: ReasonClass { get }
    /// Why it must be refused: what follows "because" in a sentence.
    var reason: String { get }
}

extension DocumentFlaw {
    /// The flaw with a name; nil when there is none.
    public init?(named name: String) {
        guard let flaw = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = flaw
    }

    /// The flaw with a name, which must be one.
    public init(stringLiteral name: StaticString) {
        guard let flaw = Self(named: name.description) else {
            preconditionFailure("there is no flaw named \(name)")
        }
        self = flaw
    }

    /// Flaws are told apart by their names.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name }
}
