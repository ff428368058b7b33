import Foundation

/// How thorough this run of the tests is.
///
/// Everyday runs take seconds; `make soak` sets `COUNTERFOIL_SOAK` and runs the same tests at full
/// size.
package enum Soak {
    /// Whether the tests shall run at full size.
    package static let isOn =
        ProcessInfo.processInfo.environment["COUNTERFOIL_SOAK"]?.isEmpty == false

    /// The size of a test: the first in everyday runs, the second in a soak.
    package static func size(_ everyday: Int, soak: Int) -> Int { isOn ? soak : everyday }
}
