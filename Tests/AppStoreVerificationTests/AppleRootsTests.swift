import CounterfoilBasics
import CounterfoilCryptography
import Testing

@testable import AppStoreVerification

@Suite("The built-in Apple roots")
struct AppleRootsTests {
    @Test("They are the three that Apple publishes, by their SHA-256")
    func fingerprints() {
        #expect(
            AppleRoots.all.map(\.fingerprint.description) == [
                "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
                "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
                "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
            ]
        )
    }
}
