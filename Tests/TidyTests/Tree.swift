import Foundation
import Testing

/// The files of the project as they stand.
enum Tree {
    /// The project's folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every file that is or would be committed, relative to the root, sorted.
    static let files: [String] = {
        let output = run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        let names = output.split(separator: "\0").map(String.init)
        // A file that is deleted but not yet committed is still listed.
        return Set(names).filter { exists($0) }.sorted()
    }()

    /// The Swift files under `Sources`, read.
    static let sources: [SwiftFile] =
        files
        .filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
        .map { SwiftFile(path: $0, text: text(of: $0)) }

    /// The Markdown files.
    static let documents = files.filter { $0.hasSuffix(".md") }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    static func bytes(of path: String) -> Data {
        (try? Data(contentsOf: root.appendingPathComponent(path))) ?? Data()
    }

    static func text(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    private static func run(_ command: String, _ arguments: [String]) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.currentDirectoryURL = root
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return "" }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}

@Suite("The tree of files")
struct TreeTests {
    @Test("The files that the other tests look at are found")
    func found() {
        #expect(Tree.files.contains("Package.swift"))
        #expect(Tree.sources.count > 50)
        #expect(Tree.documents.contains("docs/ARCHITECTURE.md"))
    }
}
