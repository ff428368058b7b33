import AppStoreClient
import CounterfoilBasics
import CounterfoilCryptography
import HTTP
import Testing

@Suite("Fetching of OCSP responses")
struct OCSPFetcherTests {
    private let rules = HostRules(["*.example.com"])!

    private func code(_ client: FakeClient, at address: String) async throws -> ErrorCode? {
        let question = try Questions.question(at: [address])
        do throws(OCSPFetchError) {
            _ = try await OCSPFetcher(client, hosts: rules).response(to: question)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("The request is posted to the certificate's responder, and its answer is handed over")
    func post() async throws {
        let client = FakeClient { _ in .success(HTTPResponse(.ok, body: [1, 2, 3])) }
        let question = try Questions.question()
        let bytes = try await OCSPFetcher(client, hosts: rules).response(to: question)
        #expect(bytes == [1, 2, 3])
        let call = try #require(client.asked.first)
        #expect(client.asked.count == 1)
        #expect(call.method == .post)
        #expect(call.url.text == "http://ocsp.example.com/a")
        #expect(call.fields[.contentType] == "application/ocsp-request")
        #expect(call.fields[.authorization] == nil)
        #expect(call.body == question.request())
    }

    @Test(
        "Nobody is asked whom the rules do not name, whatever the certificate says",
        arguments: [
            "http://example.org/", "http://example.com/", "http://ocsp.example.com.evil/",
            "http://127.0.0.1/", "http://[::1]/", "https://ocsp.example.com/", "ldap://a/",
            "http://user@ocsp.example.com/", "http://evil/ocsp.example.com", "file:///etc/passwd",
            "http://evilexample.com/", "http://.example.com.evil/",
        ]
    )
    func hosts(address: String) async throws {
        let client = FakeClient { _ in .success(HTTPResponse(.ok)) }
        let refusals: Set = [OCSPFetchError.hostNotAllowed, OCSPFetchError.noAddress]
        #expect(try await refusals.contains(code(client, at: address) ?? "none.none"))
        #expect(client.asked.isEmpty)
    }

    @Test("Apple's responders are among Apple's hosts, and nobody else's")
    func apple() {
        #expect(HostRules.apple.allow("ocsp.apple.com"))
        #expect(HostRules.apple.allow("a.b.apple.com"))
        for host in ["apple.com", ".apple.com", "notapple.com", "ocsp.apple.com.evil", "127.0.0.1"]
        {
            #expect(!HostRules.apple.allow(host))
        }
    }

    @Test("A pattern is a name, an address, or a name behind a star")
    func patterns() throws {
        let rules = try #require(HostRules(["Localhost", "127.0.0.1", "::1", "*.Example.com"]))
        for host in ["localhost", "127.0.0.1", "::1", "a.example.com"] {
            #expect(rules.allow(host))
        }
        #expect(rules.description == "localhost, 127.0.0.1, ::1, *.example.com")
        for pattern in ["", "*", "*.", "a*", "*.*.a", "http://a", "a/b", "a:80", "a b", "[::1]"] {
            #expect(HostRules([pattern]) == nil, "\(pattern)")
        }
    }

    @Test("A certificate that names nobody, a status and a failed call have codes of their own")
    func failures() async throws {
        let client = FakeClient { _ in .success(HTTPResponse(.serviceUnavailable)) }
        let question = try Questions.question(at: [])
        await #expect(throws: OCSPFetchError.self) {
            try await OCSPFetcher(client, hosts: rules).response(to: question)
        }
        let address = "http://ocsp.example.com/"
        #expect(try await code(client, at: address) == OCSPFetchError.badStatus)
        let dead = FakeClient { _ in .failure(HTTPCallError(HTTPCallError.unreachable, "")) }
        #expect(try await code(dead, at: address) == HTTPCallError.unreachable)
    }
}
