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

    /// Runs a program for as long as standard input stays open: nobody answers on when a run of
    /// tests is killed.
    private static let watch = """
        "$@" & read -r line; kill -KILL $!
        """

    private let folder: URL
    private var server: (process: Process, leash: Pipe)?

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

    /// Begins to answer over HTTP at a port of 127.0.0.1.
    package func listen(at port: UInt16, holdingMinutes: Int = 1440) throws {
        let process = process(holdingMinutes: holdingMinutes)
        let arguments = [Self.program.path] + (process.arguments ?? []) + ["-port", "\(port)"]
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.watch, "sh"] + arguments
        let leash = Pipe()
        process.standardInput = leash
        try write("words", [])
        let words = FileHandle(forWritingAtPath: path("words"))
        process.standardOutput = words
        process.standardError = words
        try process.run()
        server = (process, leash)
        // A connection that sends nothing would hold it up for ever, so its port is not tried.
        for _ in 0..<1000 where !isListening { Thread.sleep(forTimeInterval: 0.01) }
    }

    private var isListening: Bool {
        let words = try? String(contentsOfFile: path("words"), encoding: .utf8)
        return words?.contains("waiting for OCSP client connections") == true
    }

    /// Ends the answering.
    package func stop() {
        guard let server else { return }
        try? server.leash.fileHandleForWriting.close()
        // Foundation's own waiting is bound to the thread that started the process.
        for _ in 0..<500 where server.process.isRunning { Thread.sleep(forTimeInterval: 0.01) }
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
    /// A port at which nobody listens: certificates state it before anybody does.
    package static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
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
