// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SubscriptionBackend",
    dependencies: [
        .package(name: "Counterfoil", path: "../..")
    ],
    targets: [
        .target(
            name: "SubscriptionBackend",
            dependencies: [.product(name: "AppStoreVerification", package: "Counterfoil")],
            path: "Sources"
        ),
        .testTarget(
            name: "SubscriptionBackendTests",
            dependencies: [
                "SubscriptionBackend",
                .product(name: "AppStoreSimulator", package: "Counterfoil"),
            ],
            path: "Tests"
        ),
    ]
)
