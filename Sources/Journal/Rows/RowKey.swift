import AppStoreModel
package import AppStoreVerification
package import CounterfoilBasics
package import Ledger

/// The key of a row: parts one after another, so that rows are in the order of their parts and all
/// that begin with the same ones stand together.
package struct RowKey: Hashable, Sendable {
    package private(set) var bytes: [UInt8] = []

    private init() {}

    /// Adds a text, and its end: a text that begins another one comes first.
    private mutating func add(_ text: String) {
        for byte in text.utf8 {
            bytes.append(byte)
            // A zero inside is told from the end.
            if byte == 0 { bytes.append(0xFF) }
        }
        bytes += [0, 0]
    }

    private mutating func add(_ number: UInt64) {
        for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private mutating func add(_ scope: Scope) {
        bytes.append(UInt8(Realm.allCases.firstIndex(of: scope.realm) ?? 0))
        add(scope.bundleId)
        add(scope.environment.rawValue)
    }

    private mutating func add(_ lineage: LineageID) {
        add(lineage.scope)
        add(lineage.originalTransactionId)
        bytes.append(lineage.signer == nil ? 0 : 1)
        bytes += lineage.signer?.bytes ?? []
    }

    private static func made(_ add: (inout RowKey) -> Void) -> RowKey {
        var key = RowKey()
        add(&key)
        return key
    }
}

extension RowKey {
    /// An entry of the journal.
    package static func entry(_ position: Position) -> RowKey {
        made { $0.add(position.rawValue) }
    }

    /// An event.
    package static func event(_ id: EventID) -> RowKey {
        made {
            $0.add(id.position.rawValue)
            let index = UInt32(clamping: id.index)
            for shift in stride(from: 24 as UInt32, through: 0, by: -8) {
                $0.bytes.append(UInt8(truncatingIfNeeded: index >> shift))
            }
        }
    }

    /// A document, claims, or bytes that many documents share.
    package static func digest(_ digest: SHA256Digest) -> RowKey {
        made { $0.bytes = digest.bytes }
    }

    /// An app's rules of all times; rules of one time with their position.
    package static func rules(_ scope: Scope, _ position: Position? = nil) -> RowKey {
        made {
            $0.add(scope)
            if let position { $0.add(position.rawValue) }
        }
    }

    /// A lineage; in the table of statements, all that it went through.
    package static func lineage(_ lineage: LineageID) -> RowKey { made { $0.add(lineage) } }

    /// All lineages of an app in one environment.
    package static func lineages(of scope: Scope) -> RowKey { made { $0.add(scope) } }

    /// What a lineage went through with one entry.
    package static func step(_ lineage: LineageID, _ position: Position) -> RowKey {
        made {
            $0.add(lineage)
            $0.add(position.rawValue)
        }
    }

    /// A happening.
    package static func occurrence(_ scope: Scope, _ key: String) -> RowKey {
        made {
            $0.add(scope)
            $0.add(key)
        }
    }

    /// All lineages that have to do with a number.
    package static func aliases(of id: String) -> RowKey { made { $0.add(id) } }

    /// That a number has to do with a lineage.
    package static func alias(_ id: String, _ lineage: LineageID) -> RowKey {
        made {
            $0.add(id)
            $0.add(lineage)
        }
    }

    /// A notification, however often it was posted.
    package static func inbox(_ scope: Scope, _ key: String) -> RowKey { occurrence(scope, key) }

    /// All bodies on one shelf of the quarantine, in the order in which they were posted.
    package static func quarantine(_ shelf: QuarantinedBody.Shelf) -> RowKey {
        made {
            $0.add(shelf.bundleId)
            $0.add(shelf.kind.rawValue)
        }
    }

    /// One body in the quarantine.
    package static func quarantine(_ id: QuarantinedBody.ID) -> RowKey {
        made {
            $0.bytes = quarantine(id.shelf).bytes
            $0.add(id.postedAt)
            $0.bytes += id.digest.bytes
        }
    }

    /// How much stands on a shelf of the quarantine.
    package static func shelfSum(_ shelf: QuarantinedBody.Shelf) -> RowKey {
        made {
            $0.add("quarantine")
            $0.bytes += quarantine(shelf).bytes
        }
    }

    /// Everything that will change by itself before an instant.
    package static func agenda(before instant: Instant) -> RowKey { made { $0.add(instant) } }

    /// That a lineage will change by itself at an instant.
    package static func agenda(_ instant: Instant, _ lineage: LineageID) -> RowKey {
        made {
            $0.add(instant)
            $0.add(lineage)
        }
    }

    /// A personal value.
    package static func person(_ reference: PersonalReference) -> RowKey {
        made { $0.add(reference.rawValue) }
    }

    /// How far lineages were looked at since the rules of an app changed.
    package static func sweep(_ scope: Scope) -> RowKey {
        made {
            $0.add(sweepName)
            $0.add(scope)
        }
    }

    /// All of those.
    package static let sweeps = made { $0.add(sweepName) }

    private static let sweepName = "sweep"

    /// Something that is said of the whole.
    package static func name(_ name: String) -> RowKey { made { $0.add(name) } }

    private mutating func add(_ instant: Instant) {
        add(UInt64(bitPattern: instant.millisecondsSince1970) ^ 1 << 63)
    }
}

// MARK: - Reading keys

extension LineageID {
    /// Reads the lineage at the end of a key; nil for a key of another form.
    ///
    /// - Parameters:
    ///   - key: The key's bytes.
    ///   - start: Where the lineage begins in it.
    init?(key: [UInt8], from start: Int = 0) {
        self.init(KeyReader(key[min(start, key.count)...]))
    }

    /// Reads the lineage that follows a text in a key; nil for a key of another form.
    init?(keyAfterText key: [UInt8]) {
        var reader = KeyReader(key[...])
        guard reader.text() != nil else { return nil }
        self.init(reader)
    }

    private init?(_ reader: KeyReader) {
        var reader = reader
        guard let scope = reader.scope(), let original = reader.text(),
            let hasSigner = reader.rest.first
        else { return nil }
        let signer = reader.rest.dropFirst()
        if hasSigner == 0, signer.isEmpty {
            self.init(scope: scope, originalTransactionId: original)
        } else if hasSigner == 1, let signer = SHA256Digest(signer) {
            self.init(scope: scope, signer: signer, originalTransactionId: original)
        } else {
            return nil
        }
    }
}

extension QuarantinedBody.ID {
    /// Reads the name of a body in the quarantine; nil for a key of another form.
    init?(key: [UInt8]) {
        var reader = KeyReader(key[...])
        guard let bundleId = reader.text(),
            let kind = reader.text().flatMap(QuarantinedBody.Kind.init),
            let instant = reader.instant(), let digest = SHA256Digest(reader.rest)
        else { return nil }
        self.init(
            shelf: QuarantinedBody.Shelf(bundleId: bundleId, kind: kind),
            postedAt: instant,
            digest: digest
        )
    }
}

extension Scope {
    /// Reads the app and the environment that a sweep is of; nil for a key of another form.
    init?(sweep key: [UInt8]) {
        var reader = KeyReader(key[...])
        guard reader.text() != nil, let scope = reader.scope(), reader.rest.isEmpty else {
            return nil
        }
        self = scope
    }
}

/// Takes a key apart.
private struct KeyReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ key: ArraySlice<UInt8>) { rest = key }

    mutating func text() -> String? {
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte != 0 {
                text.append(byte)
                continue
            }
            switch rest.popFirst() {
            case 0xFF?: text.append(0)
            case 0?: return String(validating: text, as: UTF8.self)
            default: return nil
            }
        }
        return nil
    }

    mutating func instant() -> Instant? {
        guard rest.count >= 8 else { return nil }
        let number = rest.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return Instant(millisecondsSince1970: Int64(bitPattern: number ^ 1 << 63))
    }

    mutating func scope() -> Scope? {
        let realms = Realm.allCases
        guard let realm = rest.popFirst().map(Int.init), realm < realms.count,
            let bundleId = text(), let environment = text()
        else { return nil }
        return Scope(
            bundleId: bundleId,
            environment: StoreEnvironment(rawValue: environment),
            realm: realms[realm]
        )
    }
}
