/// Where the ledger is kept.
package enum DatabaseAddress: Hashable, Sendable {
    /// In an SQLite database, in the file of that name.
    case sqlite(path: String)
    /// In memory: it ends with the server.
    case memory

    /// Reads an address; nil for what is none.
    ///
    /// What SQLite takes for something else than a file's name is none: `:memory:` and `file:…`. Nor
    /// are two slashes at the begin, which in the addresses of other programs stand before a
    /// relative name and here would make it an absolute one.
    ///
    /// - Parameters:
    ///   - text: `memory`, or `sqlite:` and the name of a file.
    ///   - folder: what a name that is not absolute is relative to; it ends with a slash.
    init?(_ text: String, folder: String) {
        if text == "memory" {
            self = .memory
            return
        }
        let scheme = "sqlite:"
        guard text.hasPrefix(scheme) else { return nil }
        let name = String(text.dropFirst(scheme.count))
        guard !name.isEmpty, !name.hasSuffix("/"),
            !["//", ":", "file:"].contains(where: name.hasPrefix),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self = .sqlite(path: name.asFile(in: folder))
    }
}
