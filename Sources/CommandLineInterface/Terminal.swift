#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What is at the other end of a stream.
package struct Terminal: Sendable, Hashable {
    /// Whether a person sees it, rather than a file or another program.
    package let isInteractive: Bool

    /// Whether styles are to be shown.
    package let showsStyles: Bool

    /// How wide it is; 80 where nobody knows.
    package let columns: Int

    /// How wide a line may be, for tables; no limit where no person reads it.
    package var lineLimit: Int? { isInteractive ? columns : nil }

    private static let usualColumns = 80

    /// States the facts.
    package init(isInteractive: Bool, showsStyles: Bool, columns: Int = 80) {
        self.isInteractive = isInteractive
        self.showsStyles = showsStyles
        self.columns = columns
    }

    /// Finds the facts about an open descriptor.
    ///
    /// Styles are shown on a terminal that can (`TERM` is not `dumb`), unless `noColor` or a
    /// `NO_COLOR` that is not empty (https://no-color.org) forbids them.
    package init(
        descriptor: Int32,
        noColor: Bool = false,
        environment: (String) -> String? = Terminal.variable
    ) {
        isInteractive = isatty(descriptor) == 1
        let forbidden = noColor || environment("NO_COLOR")?.isEmpty == false
        showsStyles = isInteractive && !forbidden && environment("TERM") ?? "dumb" != "dumb"
        let stated = environment("COLUMNS").flatMap { Int($0) }
        columns =
            [Self.windowColumns(descriptor), stated].compactMap(\.self)
            .first { $0 > 0 } ?? Self.usualColumns
    }

    /// An environment variable of the process.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func windowColumns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return Int(size.ws_col)
    }
}
