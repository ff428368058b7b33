import Glibc

/// What the system knows of this process, under the names that Prometheus' clients share.
extension MetricRegistry {
    /// Adds resident memory, processor time, open descriptors and threads.
    package func addProcessMetrics() {
        observedGauge("process_resident_memory_bytes", "Resident memory, in bytes.") {
            Double(ProcessFigures.residentBytes)
        }
        observedCounter(
            "process_cpu_seconds_total",
            "Processor time spent by the process, in seconds."
        ) {
            ProcessFigures.processorSeconds
        }
        observedGauge("process_open_fds", "Open file descriptors.") {
            Double(ProcessFigures.entries(in: "/proc/self/fd"))
        }
        observedGauge("process_threads", "Threads.") {
            Double(ProcessFigures.entries(in: "/proc/self/task"))
        }
    }
}

/// Readings of /proc and the system's accounts; 0 where there is nothing to read.
package enum ProcessFigures {
    /// Resident memory, in bytes.
    package static var residentBytes: Int { statm(field: 1) * sysconf(Int32(_SC_PAGESIZE)) }

    static func statm(field: Int) -> Int {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return 0 }
        let fields = buffer[..<count].split(separator: 0x20)
        guard field < fields.count else { return 0 }
        return Int(String(decoding: fields[field], as: UTF8.self)) ?? 0
    }

    static var processorSeconds: Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Double(seconds) + Double(microseconds) / 1_000_000
    }

    static func entries(in folder: String) -> Int {
        guard let directory = opendir(folder) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Not "." and "..".
        return max(0, count - 2)
    }
}
