import CZstd

/// zstd (RFC 8878) with the dictionary that is built in.
enum Zstandard {
    /// How hard it is tried: from here on, one per cent less costs several times as long.
    private static let level: Int32 = 6

    /// Packs bytes into one frame, which says how many they are.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure(noMemory) }
        defer { unsafe ZSTD_freeCCtx(context) }
        unsafe ZSTD_CCtx_refCDict(context, packing)
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
        guard let context = unsafe ZSTD_createDCtx() else { preconditionFailure(noMemory) }
        defer { unsafe ZSTD_freeDCtx(context) }
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
