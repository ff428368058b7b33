import AppStoreVerification
import CommandLineInterface
import CounterfoilBasics
import HTTP
import HTTPClient
import HTTPServer
import Journal
import JournalSQLite
import PurchaseServer
import PurchaseService
import Telemetry

/// A purchase server in this process, from its start to the signal that ends it.
enum RunningServer {
    /// Serves until SIGTERM or SIGINT, or until `isDone` returns; a second signal ends the process
    /// at once.
    ///
    /// - Parameters:
    ///   - configuration: what to serve.
    ///   - read: gives the bytes of the files that the configuration names.
    ///   - isDone: waits for a reason to stop besides signals.
    ///   - observed: called with each request after it was answered.
    ///   - started: called once, with the address that is listened at.
    /// - Throws: `ConfigurationError`, `HTTPServingError`.
    static func run(
        _ configuration: Configuration,
        reading read: Configuration.FileReader,
        until isDone: (@Sendable () async -> Void)? = nil,
        observed: @escaping @Sendable (HTTPRequest) -> Void = { _ in },
        started: @escaping @Sendable (SocketAddress) -> Void
    ) async throws {
        ProcessMemory.keepFreed()
        let register = RevocationRegister()
        let record = try await record(of: configuration, reading: read, register)
        let server = try Server(
            configuration,
            reading: read,
            log: StandardErrorSink(),
            record: record,
            register: register
        )
        let first = TerminationSignals.stream()
        let second = TerminationSignals.stream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.run(on: engine(observed), asking: client, started: started) {
                    await firstOf(first, isDone)
                }
            }
            group.addTask { await Interruption.exitAtSecond(of: second) }
            // The server's end is the group's; the watcher of signals goes with it.
            try await group.next()
            group.cancelAll()
        }
        await record?.journal.engine.close()
    }

    /// The record in the database that a configuration names; nil where it names none.
    private static func record(
        of configuration: Configuration,
        reading read: Configuration.FileReader,
        _ register: RevocationRegister
    ) async throws -> PurchaseRecord? {
        let engine: any StorageEngine
        switch configuration.database {
        case nil: return nil
        case .memory?: engine = MemoryEngine()
        case .sqlite(let path)?: engine = try await SQLiteEngine(path: path)
        }
        let secrets = try configuration.secrets(reading: read, variable: Terminal.variable)
        return try await PurchaseRecord(
            in: engine,
            configuration,
            ConfiguredApps(configuration, now: SystemClock().now, reading: read),
            secrets: secrets,
            revocation: configuration.revocation.check == .on ? register : nil
        )
    }

    private static func engine(
        _ observed: @escaping @Sendable (HTTPRequest) -> Void
    ) -> Server.EngineMaker {
        { (address, limits, observer, handler) throws(HTTPServingError) in
            try MicroHTTPDServer(at: address, limits: limits, observer: observer) { request in
                let response = await handler(request)
                observed(request)
                return response
            }
        }
    }

    private static let client: Server.ClientMaker = { (proxy) throws(HTTPCallError) in
        var settings = HTTPClientSettings()
        // As many as a configuration can have on their way: `parallel` before answers and behind.
        settings.parallel = 200
        if let proxy { settings.route = .proxy(proxy.text) }
        return try CurlClient(settings)
    }

    private static func firstOf(
        _ signals: AsyncStream<Int32>,
        _ isDone: (@Sendable () async -> Void)?
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { return } }
            if let isDone { group.addTask { await isDone() } }
            await group.next()
            group.cancelAll()
        }
    }
}
