import CMicroHTTPD

/// How this process keeps memory that it will need again in a moment.
package enum ProcessMemory {
    /// Keeps up to 32 MiB of freed memory instead of giving it back to the system.
    ///
    /// A request needs some hundred kilobytes for a moment. Left to itself the allocator gives them
    /// back when many requests have ended, and asks for them, to be emptied page by page, for the
    /// next ones. Pieces of more than a megabyte, which only the rare large bodies need, go back as
    /// soon as they are free. For the process of a server to call once, at its start.
    package static func keepFreed() {
        counterfoil_keep_freed_memory(32 << 20, 1 << 20, 1 << 20)
    }
}
