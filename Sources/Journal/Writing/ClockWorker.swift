import CounterfoilBasics

/// Tells what the clock does when it does it, such as renewals and ends of periods, of grace and of
/// leeway; and what changed rules make different.
package struct ClockWorker: Sendable {
    private let writer: JournalWriter
    private let interval: Duration
    private let failed: @Sendable (StorageError) -> Void

    /// Makes a worker.
    ///
    /// - Parameters:
    ///   - journal: The journal that it tells into.
    ///   - interval: How often it looks; events are told that much too late at most.
    ///   - failed: Hears of what could not be told; it is tried again.
    package init(
        _ journal: OpenJournal,
        interval: Duration = .seconds(1),
        failed: @escaping @Sendable (StorageError) -> Void
    ) {
        writer = journal.writer
        self.interval = interval
        self.failed = failed
    }

    /// Works until its task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do throws(StorageError) {
                try await Self.tellAll(by: writer)
            } catch {
                failed(error)
            }
            do {
                try await Task.sleep(for: interval)
            } catch {
                return
            }
        }
    }

    /// Tells everything that is due now.
    ///
    /// - Throws: ``StorageError``.
    package static func tellAll(by writer: JournalWriter) async throws(StorageError) {
        while try await writer.tellTime() != nil {
            if Task.isCancelled { return }
        }
        while try await writer.sweep() {
            if Task.isCancelled { return }
        }
    }
}
