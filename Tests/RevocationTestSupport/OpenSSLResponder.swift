package import AppStoreSimulator
package import CounterfoilBasics
import Foundation

/// OpenSSL's OCSP responder, which answers for one issuer of a local App Store and shares no code
/// with this project.
///
/// It reads the machine's clock: its answers hold from now on.
package final class OpenSSLResponder {
    private static let program = URL(fileURLWithPath: "/usr/bin/openssl")

    /// Whether this machine has it.
    package static var isPresent: Bool {
        FileManager.default.isExecutableFile(atPath: program.path)
    }

    /// What it knows of one certificate.
    package enum Status: Sendable {
        case good
        case revoked(at: Instant, reason: String? = nil)
    }

    private let folder: URL
    private var server: Process?

    /// Where it listens, once it does.
    package private(set) var port: UInt16?

    /// Prepares a responder for the certificates of an issuer, which signs the answers itself where
    /// nobody else is named; certificates without a row are unknown to it.
    package init(
        for issuer: SigningIdentity,
        signedBy signer: SigningIdentity? = nil,
        _ rows: [(certificate: IssuedCertificate, status: Status)]
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("counterfoil-responder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let signer = signer ?? issuer
        try write("ca.pem", issuer.certificate.pem.utf8)
        try write("signer.pem", signer.certificate.pem.utf8)
        try write("signer.key", signer.key.pem().utf8)
        try write("index.txt", rows.map(Self.row).joined().utf8)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What it answers to a request.
    package func response(to request: [UInt8], holdingMinutes: Int = 1440) throws -> [UInt8] {
        try write("request.der", request)
        let process = process(holdingMinutes: holdingMinutes)
        process.arguments? += ["-reqin", path("request.der"), "-respout", path("response.der")]
        try process.run()
        process.waitUntilExit()
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent("response.der")))
    }

    /// Begins to answer over HTTP at 127.0.0.1.
    package func listen(holdingMinutes: Int = 1440) throws {
        let port = try Self.freePort()
        let process = process(holdingMinutes: holdingMinutes)
        process.arguments? += ["-port", "\(port)", "-timeout", "5"]
        try process.run()
        server = process
        self.port = port
        // Nothing that it prints is the same in all of its versions, so its port is tried.
        for _ in 0..<500 where !Self.isListening(at: port) { Thread.sleep(forTimeInterval: 0.01) }
    }

    /// Ends the answering.
    package func stop() {
        guard let server else { return }
        // Foundation's waiting is bound to the thread that started the process.
        server.terminate()
        for _ in 0..<500 where server.isRunning { Thread.sleep(forTimeInterval: 0.01) }
        self.server = nil
    }

    private func process(holdingMinutes: Int) -> Process {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = [
            "ocsp", "-index", path("index.txt"), "-CA", path("ca.pem"),
            "-rsigner", path("signer.pem"), "-rkey", path("signer.key"),
            "-rmd", "sha256", "-nmin", "\(holdingMinutes)", "-ignore_err",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    /// A row of the index that `openssl ca` keeps, in which only status, date and number count.
    private static func row(_ certificate: IssuedCertificate, _ status: Status) -> String {
        let serial = Hexadecimal.encode(certificate.profile.serialNumber).uppercased()
        let end = utc(certificate.profile.notAfter)
        switch status {
        case .good: return "V\t\(end)\t\t\(serial)\tunknown\t/CN=Test\n"
        case .revoked(let instant, let reason):
            let suffix = reason.map { ",\($0)" } ?? ""
            return "R\t\(end)\t\(utc(instant))\(suffix)\t\(serial)\tunknown\t/CN=Test\n"
        }
    }

    private static func utc(_ instant: Instant) -> String {
        let civil = CivilTime(instant)
        let fields = [
            civil.year % 100, civil.month, civil.day, civil.hour, civil.minute, civil.second,
        ]
        return fields.map { CivilTime.padded($0, 2) }.joined() + "Z"
    }
}

// MARK: - Ports

extension OpenSSLResponder {
    private static func freePort() throws -> UInt16 {
        try withSocket { descriptor in
            var address = loopback(port: 0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
                }
            }
            guard isBound else { throw CocoaError(.fileReadUnknown) }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    private static func isListening(at port: UInt16) -> Bool {
        withSocket { descriptor in
            var address = loopback(port: port)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
    }

    private static func withSocket<Result>(_ body: (Int32) throws -> Result) rethrows -> Result {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return try body(descriptor)
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
