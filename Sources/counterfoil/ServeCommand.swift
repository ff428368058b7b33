import CommandLineInterface
import HTTP
import PurchaseService

/// `counterfoil serve`: answers over HTTP until it is told to stop.
enum ServeCommand {
    static let command = Command(
        "serve",
        "answer verifyReceipt over HTTP",
        discussion: [
            "Answers POST /verifyReceipt and /sandbox/verifyReceipt as Apple does, and GET /healthz"
                + " and /metrics. Without a configuration every app's receipts are answered, under"
                + " Apple's roots. Log lines go to standard error, as JSON.",
            "SIGTERM or Ctrl-C lets requests in flight finish; a second one ends it at once.",
        ],
        options: [config, listen],
        examples: [
            Command.Example("counterfoil serve", "at 127.0.0.1:8080, for this machine alone"),
            Command.Example("counterfoil serve --config counterfoil.json", "as configured"),
        ],
        action: run
    )

    static let listen = Option.value(
        "listen",
        .socketAddress,
        "where to listen, whatever the configuration says"
    )
    private static let config = Option.value(
        "config",
        .file,
        "the configuration: JSON with comments"
    )

    /// The most bytes of a configuration, and of each file that it names, that are read.
    private static let fileLimit = 4 << 20

    /// Reads a configuration or a file that it names; throws the cause alone, because the errors of
    /// a configuration name the file.
    static func read(_ file: String) throws(InputError.Reason) -> [UInt8] {
        do {
            return try Input.read(file, limit: fileLimit)
        } catch {
            throw error.reason
        }
    }

    private static func run(_ invocation: Invocation, _ streams: Streams) async throws -> ExitCode {
        var configuration = Configuration()
        if let file = invocation[config] {
            configuration = try Configuration(file: file, reading: read)
        }
        if let address = invocation[listen] { configuration.listen = address.description }
        try await RunningServer.run(configuration, reading: read) { address in
            // Where nobody reads the announcement, the server serves all the same.
            try? streams.output.line("Listening at http://\(address). Ctrl-C stops it.")
        }
        return .success
    }
}

extension ValueReader where Value == SocketAddress {
    /// An address and a port.
    static var socketAddress: ValueReader {
        ValueReader(
            "an address and a port, such as 127.0.0.1:8080 or [::1]:8080",
            placeholder: "HOST:PORT",
            read: { text in
                do { return try SocketAddress(parsing: text) } catch { return nil }
            }
        )
    }
}
