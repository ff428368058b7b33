import AppStoreModel
import CounterfoilJSON
import Testing

@Suite("Kinds of signed data")
struct SignedDataKindTests {
    @Test(
        "A kind is told by the members that only it has, whatever their types",
        arguments: [
            (["transactionId": "0", "productId": 1], .transaction),
            (["autoRenewStatus": 1, "productId": "a"], .renewalInfo),
            (["autoRenewProductId": "a", "productId": "a"], .renewalInfo),
            (["receiptType": "Xcode", "receiptCreationDate": "1"], .appTransaction),
            (["notificationType": "TEST"], .notification),
            (
                ["requestIdentifier": "a", "userLocale": "en-US", "productId": "a"],
                .realtimeRequest
            ),
        ] as [(JSONObject, SignedDataKind)]
    )
    func kinds(payload: JSONObject, kind: SignedDataKind) {
        #expect(SignedDataKind(of: payload) == kind)
    }

    @Test(
        "Half of what tells a kind is not enough, and null is nothing",
        arguments: [
            [:], ["transactionId": "1"], ["productId": "a"], ["receiptType": "Xcode"],
            ["receiptCreationDate": 1], ["requestIdentifier": "a"], ["userLocale": "en-US"],
            ["notificationType": .null], ["transactionId": .null, "productId": "a"],
        ] as [JSONObject]
    )
    func unknown(payload: JSONObject) {
        #expect(SignedDataKind(of: payload) == .unknown)
    }

    @Test("The members of several kinds make the first of them")
    func several() {
        let payload: JSONObject = [
            "requestIdentifier": "a", "userLocale": "a", "receiptType": "a",
            "receiptCreationDate": 1, "autoRenewStatus": 1, "transactionId": "1", "productId": "a",
            "notificationType": "TEST",
        ]
        var rest = payload
        var found: [SignedDataKind] = []
        for key in [
            "notificationType", "transactionId", "autoRenewStatus", "receiptType", "userLocale",
        ] {
            found.append(SignedDataKind(of: rest))
            rest[key] = nil
        }
        #expect(
            found == [.notification, .transaction, .renewalInfo, .appTransaction, .realtimeRequest]
        )
    }
}
