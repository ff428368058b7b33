package import HTTP

/// How a client asks, and what it takes.
package struct HTTPClientSettings: Sendable {
    /// How hosts are reached.
    package enum Route: Sendable {
        /// Straight.
        ///
        /// The check is asked on the client's own thread about each address before a connection to
        /// it is opened, and must return at once. Only such a check keeps a name that others chose
        /// from leading into one's own network, because a name can lead elsewhere at each look.
        case direct(check: (@Sendable (SocketAddress) -> Bool)? = nil)

        /// Through a proxy, which then decides what may be reached: `http://proxy.example:3128`.
        case proxy(String)

        /// As `http_proxy`, `https_proxy` and `no_proxy` say.
        case environment
    }

    /// How hosts are reached.
    package var route = Route.direct()

    /// The roots that hosts' certificates must lead to, as PEM text; nil for the system's.
    package var authorities: [UInt8]?

    /// The time until a connection stands, its TLS included.
    package var connectDeadline = Duration.seconds(10)

    /// The time until the whole answer is there, waiting for a turn included.
    package var deadline = Duration.seconds(30)

    /// The most bytes of an answer's content.
    package var responseBytes = 1 << 20

    /// The most bytes of an answer's fields.
    package var fieldBytes = 64 << 10

    /// How many requests are on their way at once.
    package var parallel = 16

    /// How many more may wait for their turn.
    package var waiting = 1024

    /// Whom requests say that they are of.
    package var userAgent = "counterfoil"

    package init() {}
}

extension HTTPClientSettings {
    /// The same with what a request asks for in its own place.
    func bounded(by call: HTTPCall) -> HTTPClientSettings {
        var settings = self
        settings.deadline = call.deadline ?? deadline
        settings.responseBytes = call.responseBytes ?? responseBytes
        return settings
    }
}
