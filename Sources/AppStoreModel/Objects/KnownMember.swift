/// A known member of one of Apple's objects, for those who write such objects by hand.
package struct KnownMember: Sendable {
    /// What a member may hold that is more than a plain value.
    package enum Form: Sendable {
        /// A date in milliseconds.
        case date
        /// An object with known members.
        case object([KnownMember])
        /// An array of objects with known members.
        case objects([KnownMember])
        /// Anything else.
        case plain
    }

    /// Apple's name for it.
    package let name: String
    /// What it holds.
    package let form: Form

    /// Describes a member that is in no list.
    package init(name: String, form: Form) {
        self.name = name
        self.form = form
    }
}

extension AppStoreObject {
    /// The members that are known of values of this type, in the order of Apple's list.
    package static var knownMembers: [KnownMember] {
        guard let type = Self.self as? any FieldedObject.Type else { return [] }
        return type.listedMembers
    }
}

extension FieldedObject {
    fileprivate static var listedMembers: [KnownMember] {
        fields.fields.map { KnownMember(name: $0.name, form: $0.form.memberForm) }
    }

    static var memberForm: KnownMember.Form { .object(listedMembers) }
}

extension Array where Element: FieldValue {
    static var memberForm: KnownMember.Form {
        guard case .object(let members) = Element.memberForm else { return .plain }
        return .objects(members)
    }
}
