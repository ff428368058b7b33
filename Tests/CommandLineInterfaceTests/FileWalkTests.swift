import CommandLineInterface
import Foundation
import Testing

@Suite("Walks through folders")
struct FileWalkTests {
    @Test("Files come in the order of their names' bytes, folder by folder")
    func order() throws {
        let folder = try Folder()
        try folder.write(["b", "a/z", "a/Z", "a/ä", "c/d/e/f", "B"])
        #expect(folder.walk() == ["B", "a/Z", "a/z", "a/ä", "b", "c/d/e/f"])
    }

    @Test("Hidden names and links to folders are passed over; links to files are followed")
    func links() throws {
        let folder = try Folder()
        try folder.write(["a/receipt", ".git/config", ".DS_Store"])
        try folder.link("circle", to: "..")
        try folder.link("a/again", to: "receipt")
        #expect(folder.walk() == ["a/again", "a/receipt"])
    }

    @Test("A name that was given is taken as it is, even a hidden one")
    func named() throws {
        let folder = try Folder()
        try folder.write([".hidden"])
        #expect(folder.walk(from: "/.hidden") == [".hidden"])
        #expect(Array(FileWalk(from: "-")) == [.success("-")])
        #expect(Array(FileWalk(from: "/no/such")) == [.success("/no/such")])
    }

    @Test("What cannot be read as a file stands as an error in its place")
    func errors() throws {
        let folder = try Folder()
        try folder.write(["a", "c"])
        try #require(mkfifo(folder.path + "/b", 0o600) == 0)
        let found = Array(FileWalk(from: folder.path))
        #expect(found.map { (try? $0.get()) != nil } == [true, false, true])
        let error = #expect(throws: InputError.self) { try found[1].get() }
        #expect(error?.reason == .notAFile)
        #expect(error?.description == "\(folder.path)/b is not read: it is no file")
    }

    @Test("A link that leads nowhere is a file that cannot be read")
    func dangling() throws {
        let folder = try Folder()
        try folder.link("lost", to: "nowhere")
        #expect(folder.walk() == ["lost"])
    }
}

/// A temporary folder of empty files.
private final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/walk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ names: [String]) throws {
        for name in names {
            let url = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data().write(to: url)
        }
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(path)/\(name)",
            withDestinationPath: target
        )
    }

    /// The names that are found, relative to the folder.
    func walk(from name: String = "") -> [String] {
        FileWalk(from: path + name).compactMap { try? $0.get() }
            .map { String($0.dropFirst(path.count + 1)) }
    }
}
