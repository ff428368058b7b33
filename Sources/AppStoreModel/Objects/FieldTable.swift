import CounterfoilJSON

/// The known members of one of Apple's objects, by name, each with the property that reads it.
struct FieldTable<Root: Sendable>: Sendable {
    /// A known member.
    struct Field: Sendable {
        /// Apple's name for it.
        let name: String
        /// The form that it has in JSON.
        let form: any FieldValue.Type
        /// The property that reads and writes it.
        let property: any PartialKeyPath<Root> & Sendable

        /// A member whose form in JSON is its property's own.
        init<Value: FieldValue>(
            _ name: String,
            _ property: any WritableKeyPath<Root, Value?> & Sendable
        ) {
            self.name = name
            form = Value.self
            self.property = property
        }

        /// A member that Apple sends in a form of its own.
        init<Sent: SentForm>(
            _ name: String,
            _ property: any WritableKeyPath<Root, Sent.Value?> & Sendable,
            as form: Sent.Type
        ) {
            self.name = name
            self.form = form
            self.property = property
        }
    }

    let fields: [Field]
    let dates: [SentDate]
    private let rules: [String: Rule]

    /// What the check needs of a field.
    private struct Rule {
        let form: any FieldValue.Type
        let nameLength: Int
    }

    /// Makes a table of fields, and of dates that have several keys.
    init(dates: [SentDate] = [], _ fields: Field...) {
        self.fields = fields
        self.dates = dates
        var forms: [(String, any FieldValue.Type)] = fields.map { ($0.name, $0.form) }
        forms += dates.flatMap(\.keys).map { ($0, SentText.self) }
        rules = Dictionary(
            uniqueKeysWithValues: forms.map { name, form in
                (name, Rule(form: form, nameLength: name.utf8.count))
            }
        )
    }

    /// Checks the type of every known member of an object, in one pass over them.
    func check(_ object: JSONObject, at path: JSONKeyPath = .document) throws(JSONError) {
        for (key, value) in object {
            // Swift finds strings equal that only look alike; those are longer than the ASCII name.
            guard let rule = rules[key], rule.nameLength == key.utf8.count, !value.isNull else {
                continue
            }
            try rule.form.check(value, at: .member(path, key))
        }
        for date in dates { try date.check(object, at: path) }
    }
}

/// One of Apple's objects whose known members are in a table.
protocol FieldedObject: AppStoreObject, FieldValue {
    var object: JSONObject { get set }
    static var fields: FieldTable<Self> { get }
}

extension FieldedObject {
    static var expected: String { "an object" }

    static func accepts(_ value: JSONValue) -> Bool { value.object != nil }

    /// Takes an object that stood in one that was checked.
    init?(field value: JSONValue) {
        guard let object = value.object else { return nil }
        self.init()
        self.object = object
    }

    var field: JSONValue { .object(object) }

    static func check(_ value: JSONValue, at place: FieldPlace) throws(JSONError) {
        guard case .object(let object) = value else {
            throw place.refusal(of: value, expected: expected)
        }
        try fields.check(object, at: place.path)
    }

    /// Takes an object that was read, after checking the types of all known members in it.
    ///
    /// - Throws: `JSONError` with the code `json.wrong_type`, which names the path of the member.
    public init(_ object: JSONObject) throws(JSONError) {
        try Self.fields.check(object)
        self.init()
        self.object = object
    }

    /// A member's value; nil when it is absent or `null`.
    func read<Value: FieldValue>(_ name: String) -> Value? {
        guard let value = object[name], !value.isNull else { return nil }
        return Value(field: value)
    }

    /// Sets a member in Apple's form, or takes it out.
    mutating func write<Value: FieldValue>(_ name: String, _ value: Value?) {
        object[name] = value?.field
    }

    /// A member's value, of one that Apple sends in a form of its own.
    func read<Sent: SentForm>(_ name: String, as form: Sent.Type) -> Sent.Value? {
        let sent: Sent? = read(name)
        return sent?.value
    }

    /// Sets a member in the form in which Apple sends it, or takes it out.
    mutating func write<Sent: SentForm>(_ name: String, _ value: Sent.Value?, as form: Sent.Type) {
        write(name, value.map { form.init($0) })
    }
}
