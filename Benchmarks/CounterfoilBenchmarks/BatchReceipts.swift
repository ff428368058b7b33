import AppStoreSimulator
import Benchmarking
import CounterfoilBasics
import Glibc

/// Receipts for `counterfoil verify --batch`: all of them different, a line each.
enum BatchReceipts {
    /// Receipts that one task issues.
    private static let share = 100

    /// Writes so many receipts of 10 purchases to `receipts.ndjson` in a folder, and the root that
    /// answers for them to `root.pem`.
    static func write(_ count: Int, folder: String) async throws {
        let receipts = try SampleReceipts(now: SystemClock().now)
        let root = Array(receipts.authority.anchorsPEM.utf8)
        try LoadBenchmark.write(root, to: "\(folder)/root.pem")
        let file = fopen("\(folder)/receipts.ndjson", "w")
        precondition(file != nil, "the folder can be written to")
        let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for (running, start) in stride(from: 0, to: count, by: share).enumerated() {
                if running >= processors, let lines = try await group.next() {
                    fwrite(lines, 1, lines.count, file)
                }
                group.addTask {
                    try (start..<min(start + share, count)).reduce(into: []) { lines, index in
                        let receipt = try receipts.receipt(index, purchases: 10)
                        lines += Array(Base64.encode(receipt.span).utf8) + [0x0A]
                    }
                }
            }
            for try await lines in group { fwrite(lines, 1, lines.count, file) }
        }
        fclose(file)
    }
}
