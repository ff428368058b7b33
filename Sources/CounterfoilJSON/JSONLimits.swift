/// How much of a text is read before it is refused; everything up to and including a limit is
/// read.
public struct JSONLimits: Hashable, Sendable {
    /// The number of bytes of the text.
    public var bytes: Int

    /// How deep arrays and objects may be nested.
    ///
    /// `[]` is 1 deep, `[[]]` is 2. No more than ``deepest`` counts, whatever is set.
    public var depth: Int

    /// The number of values in the document: each member's and element's, and the arrays and
    /// objects themselves.
    public var values: Int

    /// The greatest depth that is ever read or written.
    public static let deepest = 512

    /// Makes limits; what is left out is as in ``default``.
    public init(bytes: Int = 16 << 20, depth: Int = 64, values: Int = 1_000_000) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// 16 MiB, 64 deep, a million values.
    ///
    /// There is room for any answer of Apple's that has been seen; the worst that fits takes about
    /// 150 MB of memory beside the text. Who reads from strangers sets less.
    public static let `default` = JSONLimits()
}
