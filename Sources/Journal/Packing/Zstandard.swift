import CZstd
import Synchronization

/// zstd (RFC 8878) with the dictionary that is built in.
enum Zstandard {
    /// How hard it is tried: from here on, one per cent less costs several times as long.
    private static let level: Int32 = 6

    /// Packs bytes into one frame, which says how many they are.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        let context = unsafe compressors.take()
        defer { unsafe compressors.give(back: context, after: bytes.count) }
        let room = ZSTD_compressBound(bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { target, filled in
            let written = unsafe bytes.withUnsafeBytes {
                unsafe ZSTD_compress2(context, target.baseAddress, room, $0.baseAddress, $0.count)
            }
            // With that much room it fails for want of memory alone.
            precondition(ZSTD_isError(written) == 0, noMemory)
            filled = written
        }
    }

    /// Unpacks the one frame that bytes are, if it says that no more than so many come out of it.
    static func decompress(
        _ frame: ArraySlice<UInt8>,
        most limit: Int
    ) throws(PackingError) -> [UInt8] {
        let announced = unsafe frame.withUnsafeBytes {
            unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count)
        }
        // The numbers that stand for "unknown" and "no frame" are the two greatest there are.
        guard announced <= limit, let count = Int(exactly: announced) else {
            throw .damaged("no frame of zstd that announces at most \(limit) bytes")
        }
        let context = unsafe decompressors.take()
        defer { unsafe decompressors.give(back: context, after: count) }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            let written = unsafe frame.withUnsafeBytes {
                unsafe ZSTD_decompress_usingDDict(
                    context,
                    target.baseAddress,
                    count,
                    $0.baseAddress,
                    $0.count,
                    unpacking
                )
            }
            filled = ZSTD_isError(written) == 0 ? written : 0
        }
        guard bytes.count == count else {
            throw .damaged("a frame of zstd that does not hold the \(count) bytes it announces")
        }
        return bytes
    }

    private static let compressors = unsafe ContextPool(
        make: {
            guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure(noMemory) }
            unsafe ZSTD_CCtx_refCDict(context, packing)
            return unsafe context
        },
        free: { unsafe ZSTD_freeCCtx($0) }
    )

    private static let decompressors = unsafe ContextPool(
        make: {
            guard let context = unsafe ZSTD_createDCtx() else { preconditionFailure(noMemory) }
            return unsafe context
        },
        free: { unsafe ZSTD_freeDCtx($0) }
    )

    private static let noMemory = "there is memory for packing"

    // zstd only reads it once it is made; it lives as long as the process.
    nonisolated(unsafe) private static let packing = unsafe prepared {
        unsafe ZSTD_createCDict($0, $1, level)
    }

    // As above.
    nonisolated(unsafe) private static let unpacking = unsafe prepared {
        unsafe ZSTD_createDDict($0, $1)
    }

    private static func prepared(
        _ make: (UnsafeRawPointer?, Int) -> OpaquePointer?
    ) -> OpaquePointer {
        let made = unsafe PackingDictionary.bytes.withUnsafeBytes {
            unsafe make($0.baseAddress, $0.count)
        }
        guard let made = unsafe made else { preconditionFailure(noMemory) }
        return unsafe made
    }
}

/// Contexts that wait for their next use: making one costs more than packing a small document.
@safe
private final class ContextPool: Sendable {
    /// A context that one thread at a time has.
    @safe
    private struct Waiting: @unchecked Sendable {  // Whoever takes it is its only user.
        let context: OpaquePointer
    }

    /// How many wait at most: as many threads as pack at once on large machines need.
    private static let most = 16
    /// A context grows with its largest document and keeps what it took.
    private static let mostBytes = 256 << 10

    private let waiting = Mutex<[Waiting]>([])
    private let make: @Sendable () -> OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    init(
        make: @escaping @Sendable () -> OpaquePointer,
        free: @escaping @Sendable (OpaquePointer) -> Void
    ) {
        unsafe self.make = make
        unsafe self.free = free
    }

    func take() -> OpaquePointer {
        if let last = waiting.withLock({ $0.popLast() }) { return unsafe last.context }
        return unsafe make()
    }

    func give(back context: OpaquePointer, after bytes: Int) {
        let isKept = waiting.withLock { waiting in
            guard bytes <= Self.mostBytes, waiting.count < Self.most else { return false }
            unsafe waiting.append(Waiting(context: context))
            return true
        }
        if !isKept { unsafe free(context) }
    }
}
