import CounterfoilBasics
import Foundation
import HTTP
import HTTPClient
import Testing

@Suite("HTTP client: TLS", .enabled(if: TLSServer.isPresent))
struct TLSTests {
    @Test("A host is believed whose certificate leads to the given roots, and no other")
    func trust() async throws {
        let server = try TLSServer(names: "DNS:localhost")
        let call = try HTTPCall(.get, HTTPURL("https://localhost:\(server.port)/"))
        let trusting = try client { $0.authorities = server.authorities }
        let answer = try await trusting.call(call)
        #expect(answer.status == .ok)
        #expect(!answer.bytes.isEmpty)

        #expect(try await code(client(), call) == HTTPCallError.untrusted)
        let other = try TLSServer(names: "DNS:localhost")
        let elsewhere = try client { $0.authorities = other.authorities }
        #expect(await code(elsewhere, call) == HTTPCallError.untrusted)
        let garbled = try client { $0.authorities = Array("no certificate".utf8) }
        #expect(await code(garbled, call) == HTTPCallError.untrusted)
    }

    @Test("A certificate of another name is not the host's")
    func names() async throws {
        let server = try TLSServer(names: "DNS:example.com")
        let trusting = try client { $0.authorities = server.authorities }
        for host in ["localhost", "127.0.0.1"] {
            let call = try HTTPCall(.get, HTTPURL("https://\(host):\(server.port)/"))
            #expect(await code(trusting, call) == HTTPCallError.untrusted)
        }
    }

    @Test("A host that speaks no TLS is not spoken to")
    func plain() async throws {
        try await withScript(readsRequest: false, .send("HTTP/1.1 200 OK\r\n\r\n")) { server in
            let call = try HTTPCall(.get, server.url(scheme: "https"))
            #expect(try await code(client(), call) == HTTPCallError.untrusted)
        }
    }
}

/// OpenSSL's server under a root of its own.
final class TLSServer {
    private static let program = URL(fileURLWithPath: "/usr/bin/openssl")
    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

    let port: UInt16
    let authorities: [UInt8]
    private let folder: URL
    private let process: Process

    init(names: String) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("counterfoil-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = { [folder] name in folder.appendingPathComponent(name).path }
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try Self.run(
            ["req", "-x509", "-subj", "/CN=Test Root", "-days", "2"] + key
                + ["-keyout", path("root.key"), "-out", path("root.pem")]
        )
        try Self.run(
            ["req", "-x509", "-subj", "/CN=Test Host", "-days", "2"] + key
                + ["-CA", path("root.pem"), "-CAkey", path("root.key")]
                + ["-addext", "subjectAltName=\(names)", "-addext", "basicConstraints=CA:FALSE"]
                + ["-keyout", path("host.key"), "-out", path("host.pem")]
        )
        authorities = [UInt8](try Data(contentsOf: folder.appendingPathComponent("root.pem")))
        let probe = try ScriptedServer(readsRequest: true, [])
        port = probe.address.port
        probe.stop()
        process = Self.process(
            ["s_server", "-accept", "127.0.0.1:\(port)", "-www", "-quiet"]
                + ["-cert", path("host.pem"), "-key", path("host.key")]
        )
        try process.run()
        for _ in 0..<200 {
            // The handshake of OpenSSL's own client shows that the server is there.
            let client = Self.process(["s_client", "-connect", "127.0.0.1:\(port)"])
            try client.run()
            client.waitUntilExit()
            if client.terminationStatus == 0 { break }
            usleep(20_000)
        }
    }

    deinit {
        // It inherited that SIGTERM is blocked on the threads of tasks.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(_ arguments: [String]) throws {
        let process = process(arguments)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    private static func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }
}
