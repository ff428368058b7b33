import Foundation

/// A program that shares no code with this project, run as a referee.
package struct OutsideProgram: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package static let openssl = OutsideProgram(path: "/usr/bin/openssl")

    /// Python 3, where the machine has it.
    package static let python: OutsideProgram? = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .map(OutsideProgram.init)
        .first(where: \.isPresent)

    /// Whether this machine has it.
    package var isPresent: Bool { FileManager.default.isExecutableFile(atPath: path) }

    package struct Outcome {
        package var status: Int32
        package var output: [UInt8]
        package var errors: String

        package var succeeded: Bool { status == 0 }
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs the program to its end; its standard input is a file, or empty.
    @discardableResult
    package func run(_ arguments: [String], input: String? = nil) throws -> Outcome {
        let folder = try Folder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput =
            try input.map { try FileHandle(forReadingFrom: URL(fileURLWithPath: $0)) }
            ?? FileHandle.nullDevice
        process.standardOutput = try folder.handle("output")
        process.standardError = try folder.handle("errors")
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: [UInt8](try Data(contentsOf: folder.url("output"))),
            errors: try folder.text("errors")
        )
    }
}
