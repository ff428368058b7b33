package import AppStoreVerification
package import CounterfoilBasics
import CounterfoilCryptography
package import Ledger

/// A journal that is open: its writer and its reader.
package struct OpenJournal: Sendable {
    /// Puts entries into it.
    package let writer: JournalWriter
    /// Reads it.
    package let reader: JournalReader
    /// Where it is kept.
    package let engine: any StorageEngine
    /// Whose documents it is for.
    package let purpose: Purpose
    /// Turns personal values into references, by a key that only this journal has.
    package let references: PersonalReferences

    private let referenceKey: [UInt8]

    /// Whose documents a journal is for: it is made for one and never changes.
    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// What Apple's roots and Xcode answer for.
        case apple
        /// What a local App Store answers for.
        case rehearsal

        /// The purpose that documents of a realm have.
        package init(_ realm: Realm) {
            self = realm == .rehearsal ? .rehearsal : .apple
        }
    }

    private static let purposeKey = RowKey.name("purpose").bytes
    private static let referenceKey = RowKey.name("reference_key").bytes

    /// Opens a journal, or begins one where there is nothing yet.
    ///
    /// - Parameters:
    ///   - engine: Where it is kept.
    ///   - purpose: Whose documents it is for.
    ///   - clock: What time it is.
    ///   - limits: How much may wait.
    ///   - referenceKey: The key of a journal that begins; nobody shall be able to guess it.
    /// - Throws: ``StorageError``; `storage.other_purpose` for a journal of other documents.
    package init(
        _ engine: any StorageEngine,
        for purpose: Purpose,
        clock: any WallClock = SystemClock(),
        limits: JournalWriter.Limits = JournalWriter.Limits(),
        referenceKey: [UInt8] = SecureRandom.bytes(32)
    ) async throws(StorageError) {
        let properties: Properties
        if let found = try await Self.properties(of: engine) {
            properties = found
        } else {
            properties = Properties(purpose: purpose, referenceKey: referenceKey)
            try await engine.write { rows throws(StorageError) in
                try rows.put(.properties, Self.purposeKey, Array(purpose.rawValue.utf8))
                try rows.put(.properties, Self.referenceKey, referenceKey)
            }
        }
        guard properties.purpose == purpose else {
            throw StorageError(
                StorageError.otherPurpose,
                "the journal was begun for documents of \(properties.purpose.words), and is opened "
                    + "for those of \(purpose.words)"
            )
        }
        self.init(engine, properties, clock, limits)
    }

    /// Opens a journal that is there already, whatever it is for; nil where there is none.
    ///
    /// - Throws: ``StorageError``.
    package init?(
        existingIn engine: any StorageEngine,
        clock: any WallClock = SystemClock()
    ) async throws(StorageError) {
        guard let properties = try await Self.properties(of: engine) else { return nil }
        self.init(engine, properties, clock, JournalWriter.Limits())
    }

    private init(
        _ engine: any StorageEngine,
        _ properties: Properties,
        _ clock: any WallClock,
        _ limits: JournalWriter.Limits
    ) {
        self.engine = engine
        purpose = properties.purpose
        writer = JournalWriter(engine: engine, clock: clock, limits: limits)
        reader = JournalReader(engine: engine)
        let key = properties.referenceKey
        referenceKey = key
        references = PersonalReferences { value in
            let digest = SHA256Digest(authenticating: Array(value.utf8).span, key: key.span)
            // Half of it is more than the values that it hides hold.
            return PersonalReference(rawValue: Hexadecimal.encode(Array(digest.bytes.prefix(16))))
        }
    }

    /// What the digest of a secret comes to here, by which the secret is known again and not found
    /// out.
    package func fingerprint(ofSecret digest: [UInt8]) -> SHA256Digest {
        SHA256Digest(authenticating: (Array("secret ".utf8) + digest).span, key: referenceKey.span)
    }

    /// What is fixed when a journal begins.
    private struct Properties {
        let purpose: Purpose
        let referenceKey: [UInt8]
    }

    private static func properties(
        of engine: any StorageEngine
    ) async throws(StorageError) -> Properties? {
        try await engine.read { rows throws(StorageError) in
            guard let row = try rows.value(.properties, Self.purposeKey) else { return nil }
            guard let purpose = Purpose(rawValue: String(decoding: row, as: UTF8.self)),
                let key = try rows.value(.properties, Self.referenceKey)
            else { throw .damagedRow(.properties, of: "the journal's purpose") }
            return Properties(purpose: purpose, referenceKey: key)
        }
    }
}

extension OpenJournal.Purpose {
    fileprivate var words: String {
        switch self {
        case .apple: "Apple and Xcode"
        case .rehearsal: "a local App Store"
        }
    }
}
