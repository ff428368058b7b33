package import Foundation

/// Programs of this package, beside the running tests, in whatever configuration these were built.
package enum BuiltProgram {
    /// The root of the package.
    package static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where a program is.
    package static func url(_ name: String) -> URL {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent(name)
        return FileManager.default.isExecutableFile(atPath: beside.path)
            ? beside : package.appendingPathComponent(".build/debug/\(name)")
    }
}
