import AppStoreModel
import AppStoreSimulator
import CounterfoilBasics
import CounterfoilTestSupport
import Testing

@testable import AppStoreVerification

@Suite("Spoiled signed data of every kind")
struct SpoiledSignedDataTests {
    @Test("Every shape verifies, as what it was issued as", arguments: SignedDataShape.all)
    func unspoiled(shape: SignedDataShape) throws {
        let verified = try shape.verify(shape.text())
        let expected: SignedDataKind =
            switch shape.kind {
            case .transaction: .transaction
            case .renewalInfo: .renewalInfo
            case .appTransaction: .appTransaction
            case .notification: .notification
            case .realtimeRequest: .realtimeRequest
            }
        #expect(verified.kind == expected)
        #expect(verified.environment == shape.environment)
        #expect(verified.realm == (shape.environment == .xcode ? .xcode : .rehearsal))
        if let proof = verified.proof {
            #expect(proof.scope.bundleId == "com.example.app")
            #expect(proof.notes.isEmpty)
        }
        if case .notification(let notification) = verified {
            let data = notification.notification.content.data
            #expect((notification.transaction != nil) == (data?.signedTransactionInfo != nil))
            #expect((notification.renewalInfo != nil) == (data?.status != nil))
        }
    }

    @Test("Nobody who trusts Apple alone believes one", arguments: SignedDataShape.all)
    func apple(shape: SignedDataShape) throws {
        let text = try shape.text()
        do {
            _ = try shape.verify(text, trust: .appStore)
            Issue.record("\(shape.testDescription) passes under Apple's roots")
        } catch {
            #expect(error.code.rawValue == "chain.untrusted_root")
        }
    }

    @Test(
        "Every flaw is refused with its own code in every shape",
        arguments: SignedDataFlaw.allCases
    )
    func spoiled(flaw: SignedDataFlaw) throws {
        var count = 0
        for shape in SignedDataShape.all {
            for seed in 0..<UInt64(Soak.size(1, soak: 20)) {
                guard let text = try issued(shape, flaw, seed) else { continue }
                count += 1
                try judge(text, shape, flaw, seed)
            }
        }
        #expect(count > 0, "no shape can have this flaw")
    }

    /// The spoiled document; nil where the shape has not what the flaw needs.
    private func issued(
        _ shape: SignedDataShape,
        _ flaw: SignedDataFlaw,
        _ seed: UInt64
    ) throws -> String? {
        do {
            return try shape.text(flaw, seed: seed)
        } catch let error as SimulatorError where error.code == SimulatorError.flawNotApplicable {
            return nil
        }
    }

    private func judge(
        _ text: String,
        _ shape: SignedDataShape,
        _ flaw: SignedDataFlaw,
        _ seed: UInt64
    ) throws {
        let name = "\(shape.testDescription), \(flaw), seed \(seed)"
        let isForCaller = flaw.reasonClass == .app || flaw == "otherEnvironment"
        do {
            let verified = try shape.verify(text)
            // Only whoever puts it beside a transaction or an Apple ID can tell.
            #expect(isForCaller && !shape.namesItsApp, "\(name) passes although \(flaw.reason)")
            #expect(flaw != "otherEnvironment" || verified.environment != shape.environment)
        } catch {
            let expected = ExpectedRefusals.code(of: flaw, in: shape.kind)
            #expect(error.code.rawValue == expected, "\(name): \(error)")
            #expect(error.isUndecided == (flaw.reasonClass == .time))
        }
    }

    @Test("A chain that held is forgotten by nobody's forgery", arguments: [0, 1, 2])
    func memory(seed: UInt64) throws {
        // The same header, which is remembered, in front of what its signer never signed.
        let shape = SignedDataShape.all[0]
        let genuine = try shape.text(seed: seed)
        _ = try shape.verify(genuine)
        let other = try shape.text("signatureByAnotherKey", seed: seed)
        #expect(genuine.split(separator: ".")[0] == other.split(separator: ".")[0])
        #expect(throws: VerificationError.self) { try shape.verify(other) }
        _ = try shape.verify(genuine)
    }
}

extension VerifiedSignedData {
    /// The environment that the document says.
    fileprivate var environment: StoreEnvironment {
        switch self {
        case .renewalInfo(let info): info.environment
        case .realtimeRequest(let request): request.environment
        default: proof?.scope.environment ?? StoreEnvironment(rawValue: "")
        }
    }

    /// Who answers for it.
    fileprivate var realm: Realm? {
        switch self {
        case .renewalInfo(let info): info.realm
        case .realtimeRequest(let request): request.realm
        default: proof?.scope.realm
        }
    }
}
