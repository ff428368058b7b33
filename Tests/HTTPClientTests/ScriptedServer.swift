import Foundation
import HTTP
import Synchronization

/// A server on loopback that reads a request's head and then does exactly what it is told.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        case send(String)
        case sendBytes(Int)
        case wait(milliseconds: Int)
        case reset
        /// Keeps the connection until the client leaves.
        case hang
    }

    let address: SocketAddress
    private let descriptor: Int32
    private let steps: [Step]
    private let readsRequest: Bool
    private let heads = Mutex<[String]>([])
    private let left = Atomic(0)

    /// The heads of the requests that came.
    var requests: [String] { heads.withLock { $0 } }

    /// How many connections were seen to end while they were kept.
    var departures: Int { left.load(ordering: .acquiring) }

    init(readsRequest: Bool, _ steps: [Step]) throws {
        self.steps = steps
        self.readsRequest = readsRequest
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var form = sockaddr_in()
        form.sin_family = sa_family_t(AF_INET)
        form.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let isBound = withUnsafeMutablePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && listen(socket, 128) == 0
                    && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileReadUnknown) }
        address = .loopback(port: UInt16(bigEndian: form.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [self] in serve(connection) }
            }
        }
    }

    /// Ends the accepting, and with it the thread that holds the server.
    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    func url(_ target: String = "/", scheme: String = "http") throws -> HTTPURL {
        try HTTPURL("\(scheme)://\(address)\(target)")
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        if readsRequest {
            let head = Self.readHead(connection)
            heads.withLock { $0.append(head) }
        }
        for step in steps {
            switch step {
            case .send(let text): Self.send(Array(text.utf8), connection)
            case .sendBytes(let count): Self.send(Array(repeating: 0x61, count: count), connection)
            case .wait(let milliseconds): usleep(UInt32(milliseconds) * 1000)
            case .reset:
                var option = linger(l_onoff: 1, l_linger: 0)
                let size = socklen_t(MemoryLayout<linger>.size)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, size)
            case .hang:
                var byte: UInt8 = 0
                while recv(connection, &byte, 1, 0) > 0 {}
                left.add(1, ordering: .acquiringAndReleasing)
            }
        }
    }

    private static func readHead(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(connection, &byte, 1, 0) == 1 {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func send(_ bytes: [UInt8], _ connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

/// Runs a test against a scripted server, and stops it after it.
func withScript(
    readsRequest: Bool = true,
    _ steps: ScriptedServer.Step...,
    test: (ScriptedServer) async throws -> Void
) async throws {
    let server = try ScriptedServer(readsRequest: readsRequest, steps)
    defer { server.stop() }
    try await test(server)
}
