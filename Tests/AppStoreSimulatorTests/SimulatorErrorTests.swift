import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@Suite("Refusals to issue")
struct SimulatorErrorTests {
    @Test("Every code can be provoked, and says where in a sentence")
    func everyCode() throws {
        let folder = try Folder()
        let file = try folder.write("file", "text")
        let damaged = folder.path("damaged")
        try AuthorityFolder(path: damaged).save(Fixtures.authority)
        try folder.write("damaged/private/root.pem", "nothing")
        let profile = AuthorityProfile(now: Fixtures.now)
        let attempts: [ErrorCode: () throws -> Void] = [
            SimulatorError.keyUnusable: { _ = try SigningKey.rsa(bits: 100) },
            SimulatorError.notRepresentable: {
                var receipt = Fixtures.receipt()
                receipt.inApp[0].webOrderLineItemId = "x"
                _ = try ReceiptPayload(receipt)
            },
            SimulatorError.flawNotApplicable: {
                _ = try Fixtures.issuer.issue(Fixtures.receipt(), spoiledBy: "unterminated")
            },
            SimulatorError.certificateUnreadable: { _ = try IssuedCertificate(der: []) },
            SimulatorError.specificationUnreadable: {
                _ = try ReceiptSpecification(json: [], now: Fixtures.now)
            },
            SimulatorError.unknownKey: {
                _ = try ReceiptSpecification(json: Array(#"{"a":1}"#.utf8), now: Fixtures.now)
            },
            SimulatorError.invalidValue: {
                _ = try ReceiptSpecification(json: Array(#"{"seed":""}"#.utf8), now: Fixtures.now)
            },
            SimulatorError.folderInaccessible: {
                _ = try AuthorityFolder(path: file).authority(orMaking: profile)
            },
            SimulatorError.folderDamaged: {
                _ = try AuthorityFolder(path: damaged).authority(orMaking: profile)
            },
        ]
        #expect(Set(attempts.keys) == Set(SimulatorError.allCodes))
        for (code, attempt) in attempts {
            let error = #expect(throws: SimulatorError.self) { try attempt() }
            #expect(error?.code == code)
            #expect(error?.description.hasPrefix("\(code): ") == true)
            #expect(error?.reason.contains("PRIVATE KEY") == false)
        }
    }
}
