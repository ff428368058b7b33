#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files that a name stands for: itself, or everything below a folder.
///
/// The order is that of the names' bytes, folder by folder, so it depends on no locale. Below a
/// folder, names that begin with a dot are passed over, links to folders are not followed (they
/// could lead in a circle), and what cannot be read as a file is given as an error in its place.
package struct FileWalk: Sequence, IteratorProtocol, Sendable {
    /// What is still to be visited, the next one last.
    private var pending: [Visit]

    private enum Visit: Sendable {
        /// A name that the user gave, which may be anything that can be opened.
        case named(String)
        case file(String)
        case folder(String)
        case failure(InputError)
    }

    /// Begins at a file, a folder, or `-` for standard input.
    package init(from name: String) { pending = [.named(name)] }

    /// The next file's name, or why there is none to be read in its place.
    package mutating func next() -> Result<String, InputError>? {
        while let visit = pending.popLast() {
            switch visit {
            case .file(let name): return .success(name)
            case .failure(let error): return .failure(error)
            case .folder(let name): enter(name)
            case .named(let name):
                guard name != Input.standardInput, Self.kind(of: name) == S_IFDIR else {
                    return .success(name)
                }
                enter(name)
            }
        }
        return nil
    }

    private mutating func enter(_ folder: String) {
        switch Self.names(in: folder) {
        case .failure(let cause):
            pending.append(.failure(InputError(name: folder, .unreadable(cause))))
        case .success(let names):
            let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
            pending += names.reversed().compactMap { Self.visit(prefix + $0) }
        }
    }

    private static func visit(_ path: String) -> Visit? {
        var status = stat()
        guard FileName.withCString(of: path, { lstat($0, &status) }) == 0 else {
            return .failure(InputError(name: path, .unreadable(SystemError(number: errno))))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(path)
        case S_IFDIR: return .folder(path)
        case S_IFLNK:
            // A dangling link is a file that cannot be read, and says so when it is opened.
            let target = kind(of: path)
            if target == S_IFDIR { return nil }
            let isFile = target == S_IFREG || target == nil
            return isFile ? .file(path) : .failure(InputError(name: path, .notAFile))
        default: return .failure(InputError(name: path, .notAFile))
        }
    }

    /// What a path leads to, through links; nil when it leads nowhere.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        let isThere = FileName.withCString(of: path) { stat($0, &status) } == 0
        return isThere ? status.st_mode & S_IFMT : nil
    }

    private static func names(in folder: String) -> Result<[String], SystemError> {
        guard let stream = FileName.withCString(of: folder, { opendir($0) }) else {
            return .failure(SystemError(number: errno))
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                FileName.bytes(
                    ofCString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                )
            }
            if name.first != UInt8(ascii: ".") { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { return .failure(SystemError(number: errno)) }
        names.sort { $0.lexicographicallyPrecedes($1) }
        return .success(names.map { FileName.text(of: $0) })
    }
}
