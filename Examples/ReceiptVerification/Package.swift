// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ReceiptVerification",
    dependencies: [
        .package(name: "Counterfoil", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "ReceiptVerification",
            dependencies: [.product(name: "AppStoreVerification", package: "Counterfoil")],
            path: "Sources"
        )
    ]
)
