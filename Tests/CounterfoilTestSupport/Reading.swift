package import Foundation

extension FileHandle {
    /// Begins to read to the end on a thread of its own.
    ///
    /// On a thread of the pool the read could hold the last one that its writer needs, and both
    /// would wait for ever.
    ///
    /// - Returns: what waits for the bytes, without blocking a thread.
    package func readingToEnd() -> @Sendable () async -> Data {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let descriptor = fileDescriptor
        Thread.detachNewThread {
            continuation.yield(FileHandle(fileDescriptor: descriptor).readDataToEndOfFile())
            continuation.finish()
        }
        return { [self] in
            var all = Data()
            for await bytes in stream { all += bytes }
            _ = self
            return all
        }
    }
}
