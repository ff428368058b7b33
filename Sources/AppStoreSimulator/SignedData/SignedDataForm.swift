import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

/// How signed data is signed, apart from what it says.
public enum SignedDataForm: String, CaseIterable, Hashable, Sendable {
    /// As the App Store's servers sign: three certificates in the header.
    case appStore
    /// As StoreKit testing in Xcode signs: one certificate, a key's name and a type.
    case storeKit

    /// Whose key signs.
    public var signer: AuthorityRole {
        self == .appStore ? .signedDataSigner : .storeKitSignedData
    }

    /// The form that documents of an environment have.
    static func usual(of environment: StoreEnvironment?) -> SignedDataForm {
        environment == .xcode ? .storeKit : .appStore
    }

    /// The header's members (RFC 7515 §4.1), with certificates in standard base 64.
    func header(_ chain: [IssuedCertificate]) -> JSONObject {
        let certificates = JSONValue.array(
            chain.map { .string(Base64.encode($0.der.span)) }
        )
        return switch self {
        case .appStore: ["alg": "ES256", "x5c": certificates]
        case .storeKit:
            ["kid": "Apple_Xcode_Key", "typ": "JWT", "x5c": certificates, "alg": "ES256"]
        }
    }
}
