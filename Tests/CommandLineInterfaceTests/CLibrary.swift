import Foundation
import Testing

/// Functions of the C library that its Swift module leaves out.
enum CLibrary {
    static func function<Function>(_ name: String, _ type: Function.Type) throws -> Function {
        unsafeBitCast(try #require(dlsym(nil, name)), to: type)
    }

    /// Whether the machine has pseudo terminals; some containers have none.
    static let hasTerminals = access("/dev/pts/ptmx", F_OK) == 0 && access("/dev/ptmx", W_OK) == 0

    /// Opens a pseudo terminal: the end that a person would see, and the end of a program.
    static func openTerminal() throws -> (controller: CInt, device: CInt) {
        typealias Step = @convention(c) (CInt) -> CInt
        typealias Name = @convention(c) (CInt) -> UnsafePointer<CChar>?
        let controller = try function("posix_openpt", Step.self)(O_RDWR | O_NOCTTY)
        try #require(controller >= 0)
        for step in ["grantpt", "unlockpt"] {
            try #require(try function(step, Step.self)(controller) == 0)
        }
        let name = try #require(try function("ptsname", Name.self)(controller))
        let device = open(String(cString: name), O_RDWR | O_NOCTTY)
        try #require(device >= 0)
        return (controller, device)
    }
}
