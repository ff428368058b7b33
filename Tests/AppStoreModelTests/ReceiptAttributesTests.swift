import AppStoreModel
import Testing

@Suite("Attributes of a receipt")
struct ReceiptAttributesTests {
    @Test("Attributes that lie in the receipt and such that were put together read alike")
    func mixed() {
        let receipt: [UInt8] = [9, 9, 1, 2, 3, 4, 9]
        var attributes = ReceiptAttributes(lyingIn: receipt[2..<6])
        attributes.append(type: 1701, version: 1, at: 1..<3)
        attributes.append(ReceiptAttribute(type: 1702, version: 2, value: [7, 8]))
        attributes.append(type: 1703, version: 1, at: 0..<4)
        let expected = [
            ReceiptAttribute(type: 1701, version: 1, value: [2, 3]),
            ReceiptAttribute(type: 1702, version: 2, value: [7, 8]),
            ReceiptAttribute(type: 1703, version: 1, value: [1, 2, 3, 4]),
        ]
        #expect(Array(attributes) == expected)
        #expect(attributes == ReceiptAttributes(expected))
        #expect(attributes.hashValue == ReceiptAttributes(expected).hashValue)
        #expect(receipt == [9, 9, 1, 2, 3, 4, 9])
    }
}
