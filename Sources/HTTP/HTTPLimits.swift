/// The bounds that an engine keeps; every one holds for every connection, whoever is behind it.
package struct HTTPLimits: Sendable, Hashable {
    /// The largest body, in bytes; a larger one is answered 413.
    package var bodyBytes = 8 << 20

    /// The most bytes of bodies that are arriving, being handled or waiting for their answer to be
    /// taken, of all connections together, beyond ``freeBodyBytes`` of each.
    ///
    /// A request past it is answered 503: without such a bound every connection could hold a body
    /// of the largest size. It is not less than ``bodyBytes``, or no largest body would be taken.
    package var bodyBytesInFlight = 32 << 20

    /// The first bytes of each body, which ``bodyBytesInFlight`` does not count, so that a few large
    /// bodies never keep out small ones; ``connections`` bounds them all the same.
    package var freeBodyBytes = 64 << 10

    /// The largest request head, line and fields, in bytes; a larger one is answered 431 or 414.
    package var headBytes = 16 << 10

    /// The most header fields; more are answered 431.
    package var fieldCount = 100

    /// The most connections.
    ///
    /// A further one is answered 503 and closed; far beyond the limit it is closed at once.
    package var connections = 1024

    /// The most connections from one address.
    ///
    /// A further one is answered 503 and closed.
    package var connectionsPerAddress = 256

    /// Addresses that may have any number of connections: proxies in front.
    package var exemptNetworks = IPNetwork.loopback

    /// The time from the connection, or from the end of the request line, to the end of the head.
    package var headDeadline: Duration = .seconds(10)

    /// The time from the end of the head to the end of the body.
    package var bodyDeadline: Duration = .seconds(30)

    /// The time for which a kept connection may wait for its next request line.
    package var idleDeadline: Duration = .seconds(60)

    /// The time that a handler may take, and a streamed body for each next chunk.
    ///
    /// Then the answer is 503, or the connection is cut.
    package var handlerDeadline: Duration = .seconds(30)

    /// The time in which the peer must take ``writeProgress`` bytes of an answer, or its rest.
    package var writeDeadline: Duration = .seconds(30)

    /// How many bytes of an answer a peer must take in each ``writeDeadline``.
    package var writeProgress = 16 << 10

    /// The documented defaults.
    ///
    /// Bodies of 8 MiB, 32 MiB of them at a time; heads of 16 KiB and 100 fields; 1024 connections, 256 from one address;
    /// 10 s for a head, 30 s for a body, 60 s of idleness, 30 s for a handler, 30 s for each
    /// 16 KiB of an answer.
    package static let `default` = HTTPLimits()

    package init() {}
}
