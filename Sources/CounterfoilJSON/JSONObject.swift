/// The members of a JSON object in the order written, each key once.
///
/// Keys differ when their UTF-8 differs. Swift's own `==` on strings is not enough here: it takes
/// the Kelvin sign for a `K`, so that a key made to look like another would answer for it.
public struct JSONObject: Sendable {
    /// A member as it is stored: arrays of structures are faster to release than of tuples.
    struct Member: Sendable {
        let key: String
        var value: JSONValue
    }

    private var members: [Member]

    /// Where each key stands; kept only for objects with more members than a search is good for.
    private var positions: [ExactKey: Int]

    /// How many members are searched one by one.
    static let searchedMembers = 48

    /// Makes an object without members.
    public init() {
        members = []
        positions = [:]
    }

    /// Makes an object of members whose keys are known to differ.
    package init(uniqueMembers: [(String, JSONValue)]) {
        members = uniqueMembers.map { Member(key: $0.0, value: $0.1) }
        positions = Self.positions(in: members)
        precondition(hasUniqueKeys, "an object's keys must differ")
    }

    /// Makes an object of members whose keys the reader has found to differ.
    ///
    /// Where they are more than ``searchedMembers``, it may know their positions already.
    init(membersFoundUnique members: [Member], positions: [ExactKey: Int]? = nil) {
        self.members = members
        self.positions = positions ?? Self.positions(in: members)
    }

    /// The keys in the order written.
    public var keys: [String] { members.map(\.key) }

    /// The value of a member; setting one that is not there appends it, setting nil removes it.
    public subscript(key: String) -> JSONValue? {
        get {
            guard let position = position(of: key) else { return nil }
            return members[position].value
        }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil):
                members.remove(at: position)
                positions = Self.positions(in: members)
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    private mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
        if positions.isEmpty {
            positions = Self.positions(in: members)
        } else {
            positions[ExactKey(key)] = members.count - 1
        }
    }

    private func position(of key: String) -> Int? {
        if !positions.isEmpty { return positions[ExactKey(key)] }
        let length = key.utf8.count
        return members.firstIndex { member in
            member.key.utf8.count == length && member.key == key
                && ExactKey.areEqual(member.key, key)
        }
    }

    private static func positions(in members: [Member]) -> [ExactKey: Int] {
        guard members.count > searchedMembers else { return [:] }
        var positions: [ExactKey: Int] = [:]
        positions.reserveCapacity(members.count)
        for (position, member) in members.enumerated() {
            positions[ExactKey(member.key)] = position
        }
        return positions
    }

    private var hasUniqueKeys: Bool {
        Set(members.map { ExactKey($0.key) }).count == members.count
    }
}

extension JSONObject: RandomAccessCollection {
    /// A member: its key and its value.
    public typealias Element = (key: String, value: JSONValue)

    /// The position of the first member.
    public var startIndex: Int { 0 }

    /// The number of members.
    public var endIndex: Int { members.count }

    /// The member at a position in the order written.
    public subscript(position: Int) -> Element {
        let member = members[position]
        return (key: member.key, value: member.value)
    }
}

extension JSONObject: Hashable {
    /// Two objects are equal when they have the same members, in whatever order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        return left.members.indices.allSatisfy { position in
            let member = left.members[position]
            let twin = right.members[position]
            if twin.key == member.key, ExactKey.areEqual(twin.key, member.key) {
                return twin.value == member.value
            }
            return right[member.key] == member.value
        }
    }

    /// Feeds the number of members and their keys, in no order, to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        hasher.combine(members.reduce(0) { $0 ^ ExactKey($1.key).hashValue })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object of members in the order of the literal; the keys must differ.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(uniqueMembers: elements)
    }
}

/// A key compared by its UTF-8.
struct ExactKey: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactKey, right: ExactKey) -> Bool {
        left.text == right.text && areEqual(left.text, right.text)
    }

    func hash(into hasher: inout Hasher) {
        unsafe text.utf8Span.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Whether two strings that Swift finds equal have the same UTF-8.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        // A string that Swift finds equal to an ASCII one is longer unless it is ASCII too.
        left.utf8.count == right.utf8.count
            && (left.utf8Span.isKnownASCII || left.utf8.elementsEqual(right.utf8))
    }
}
