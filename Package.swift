// swift-tools-version: 6.2
import PackageDescription

/// The settings every Swift target is built with; a target that talks to C adds strict memory safety.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// A room of the house: its name and the lower floors that it may use (docs/ARCHITECTURE.md).
func room(
    _ name: String,
    uses dependencies: [Target.Dependency] = [],
    memory: [SwiftSetting] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        resources: resources,
        swiftSettings: settings + memory
    )
}

/// The tests of a room, which see that room and whatever else they name.
func tests(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: name), "CounterfoilTestSupport"]
            + (name == "CounterfoilBasics" ? [] : ["CounterfoilBasics"]) + dependencies,
        swiftSettings: settings
    )
}

/// The fuzzer, whose `main` is libFuzzer's: only `make fuzz` builds it.
let fuzzers: [Target] =
    Context.environment["COUNTERFOIL_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "CounterfoilFuzzer",
            dependencies: ["CounterfoilFuzzTargets"],
            path: "Tests/Fuzzer",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
        )
    ]

let package = Package(
    name: "Counterfoil",
    products: [
        .library(
            name: "AppStoreVerification",
            targets: [
                "AppStoreVerification", "AppStoreModel", "CounterfoilBasics", "CounterfoilJSON",
            ]
        ),
        .library(
            name: "AppStoreSimulator",
            targets: ["AppStoreSimulator", "AppStoreModel", "CounterfoilBasics", "CounterfoilJSON"]
        ),
        .executable(name: "counterfoil", targets: ["counterfoil"]),
    ],
    targets: [
        // Floor 0: system libraries, one importer each.
        .systemLibrary(
            name: "CCounterfoilOpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(
            name: "CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"])]
        ),
        .target(
            name: "CCounterfoilSimdJSON",
            linkerSettings: [.linkedLibrary("simdjson")]
        ),

        // Floors 1 to 3: the five readers.
        room("CounterfoilBasics"),
        room(
            "CounterfoilASN1",
            uses: ["CounterfoilBasics"],
            memory: [.strictMemorySafety()]
        ),
        room(
            "CounterfoilJSON",
            uses: ["CounterfoilBasics", "CCounterfoilSimdJSON"],
            memory: [.strictMemorySafety()]
        ),
        room("CounterfoilPropertyList", uses: ["CounterfoilBasics"]),
        room(
            "CounterfoilCryptography",
            uses: ["CounterfoilBasics", "CounterfoilASN1", "CCounterfoilOpenSSL"],
            memory: [.strictMemorySafety()]
        ),

        // Floors 2 and 3: serving.
        room("HTTP", uses: ["CounterfoilBasics"]),
        room("Telemetry", uses: ["CounterfoilBasics"]),
        room("CommandLineInterface", uses: ["CounterfoilBasics"]),
        room(
            "HTTPServer",
            uses: ["HTTP", "CounterfoilBasics", "CMicroHTTPD"],
            memory: [.strictMemorySafety()]
        ),

        room(
            "HTTPClient",
            uses: ["HTTP", "CounterfoilBasics", "CCurl"],
            memory: [.strictMemorySafety()]
        ),

        // Floors 3 to 5: Apple's values, the door, and the magnifying glass.
        room("AppStoreModel", uses: ["CounterfoilBasics", "CounterfoilJSON"]),
        room(
            "AppStoreVerification",
            uses: [
                "CounterfoilBasics", "CounterfoilASN1", "CounterfoilJSON",
                "CounterfoilPropertyList", "CounterfoilCryptography", "AppStoreModel",
            ],
            resources: [.embedInCode("Roots")]
        ),
        room(
            "DocumentInspection",
            uses: [
                "CounterfoilBasics", "CounterfoilASN1", "CounterfoilJSON",
                "CounterfoilPropertyList", "CounterfoilCryptography", "AppStoreModel",
                "AppStoreVerification",
            ]
        ),

        room(
            "Ledger",
            uses: ["CounterfoilBasics", "CounterfoilJSON", "AppStoreModel", "AppStoreVerification"]
        ),
        room(
            "Journal",
            uses: [
                "CounterfoilBasics", "CounterfoilJSON", "CounterfoilCryptography", "AppStoreModel",
                "AppStoreVerification", "Ledger", "CZstd",
            ],
            memory: [.strictMemorySafety()]
        ),
        room(
            "JournalSQLite",
            uses: ["CounterfoilBasics", "Journal", "CSQLite"],
            memory: [.strictMemorySafety()]
        ),
        room(
            "AppStoreClient",
            uses: [
                "CounterfoilBasics", "CounterfoilJSON", "CounterfoilCryptography", "HTTP",
                "AppStoreModel",
            ]
        ),

        // Floors 8 to 10: use cases, the local App Store, the server and the tool.
        room(
            "PurchaseService",
            uses: [
                "CounterfoilBasics", "CounterfoilJSON", "CounterfoilCryptography", "AppStoreModel",
                "AppStoreVerification", "AppStoreClient", "Ledger", "Journal", "Telemetry",
            ]
        ),
        room(
            "AppStoreSimulator",
            uses: [
                "CounterfoilBasics", "CounterfoilASN1", "CounterfoilJSON",
                "CounterfoilPropertyList", "CounterfoilCryptography", "AppStoreModel",
            ]
        ),
        room(
            "PurchaseServer",
            uses: [
                "CounterfoilBasics", "CounterfoilJSON", "AppStoreVerification", "AppStoreClient",
                "PurchaseService", "Journal", "HTTP", "Telemetry",
            ]
        ),
        room(
            "Benchmarking",
            uses: [
                "CounterfoilBasics", "CounterfoilCryptography", "HTTP", "HTTPServer", "Telemetry",
                "AppStoreModel", "AppStoreVerification", "PurchaseService", "AppStoreSimulator",
                "PurchaseServer",
            ]
        ),
        .executableTarget(
            name: "counterfoil",
            dependencies: [
                "Benchmarking", "CounterfoilBasics", "CounterfoilJSON", "HTTP", "HTTPClient",
                "HTTPServer", "Telemetry", "CommandLineInterface", "AppStoreModel",
                "AppStoreVerification", "AppStoreClient", "DocumentInspection", "Ledger", "Journal",
                "JournalSQLite", "PurchaseService", "AppStoreSimulator", "PurchaseServer",
            ],
            swiftSettings: settings
        ),

        // What `make bench` runs: ours beside OpenSSL alone.
        .executableTarget(
            name: "CounterfoilBenchmarks",
            dependencies: [
                "CCounterfoilOpenSSL", "CSQLite", "Benchmarking", "CounterfoilBasics", "HTTP",
                "HTTPServer", "Telemetry", "AppStoreModel", "AppStoreSimulator",
                "AppStoreVerification", "Ledger", "Journal", "JournalSQLite", "PurchaseService",
            ],
            path: "Benchmarks/CounterfoilBenchmarks",
            swiftSettings: settings
        ),

        // What the tests share: the corpus, seeded randomness, ways to spoil bytes.
        .target(
            name: "CounterfoilTestSupport",
            dependencies: ["CounterfoilBasics"],
            path: "Tests/CounterfoilTestSupport",
            swiftSettings: settings
        ),
        // A client that sends any bytes, and one that runs the same test live and in memory.
        .target(
            name: "HTTPTestSupport",
            dependencies: ["HTTP"],
            path: "Tests/HTTPTestSupport",
            swiftSettings: settings
        ),
        // OCSP responses that are right or wrong at will, and OpenSSL's responder.
        .target(
            name: "RevocationTestSupport",
            dependencies: [
                "CounterfoilBasics", "CounterfoilASN1", "CounterfoilCryptography",
                "AppStoreSimulator",
            ],
            path: "Tests/RevocationTestSupport",
            swiftSettings: settings
        ),
        // A whole record in the small: from signed documents to answers and events.
        .target(
            name: "RecordTestSupport",
            dependencies: [
                "CounterfoilBasics", "AppStoreModel", "AppStoreVerification", "AppStoreSimulator",
                "Ledger", "Journal", "PurchaseService",
            ],
            path: "Tests/RecordTestSupport",
            swiftSettings: settings
        ),
        // A disk that fails when it is told to, under SQLite.
        .target(
            name: "CSQLiteFaults",
            path: "Tests/CSQLiteFaults",
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        // A process that writes a journal, to be killed.
        .executableTarget(
            name: "JournalWritingProcess",
            dependencies: [
                "CSQLiteFaults", "RecordTestSupport", "CounterfoilBasics", "AppStoreSimulator",
                "Journal", "JournalSQLite",
            ],
            path: "Tests/JournalWritingProcess",
            swiftSettings: settings
        ),
        // A server in the place of Apple's verifyReceipt, and time that takes none.
        .target(
            name: "VerifyReceiptTestSupport",
            dependencies: ["CounterfoilBasics", "CounterfoilJSON", "HTTP", "HTTPServer"],
            path: "Tests/VerifyReceiptTestSupport",
            swiftSettings: settings
        ),
        // What `make fuzz` feeds with any bytes, and `make test` with those worth keeping.
        .target(
            name: "CounterfoilFuzzTargets",
            dependencies: [
                "CounterfoilTestSupport", "RevocationTestSupport", "CounterfoilBasics",
                "CounterfoilASN1", "CounterfoilJSON", "CounterfoilPropertyList",
                "CounterfoilCryptography", "AppStoreModel", "AppStoreVerification",
                "AppStoreSimulator", "DocumentInspection", "PurchaseService",
            ],
            path: "Tests/FuzzTargets",
            swiftSettings: settings
        ),
        .testTarget(
            name: "FuzzCorpusTests",
            dependencies: ["CounterfoilFuzzTargets"],
            swiftSettings: settings
        ),
        tests("CounterfoilBasics"),
        tests("CounterfoilASN1"),
        tests("CounterfoilJSON"),
        tests("CounterfoilPropertyList"),
        tests("CounterfoilCryptography", uses: ["CounterfoilASN1", "RevocationTestSupport"]),
        tests("HTTP"),
        tests("Telemetry"),
        tests("CommandLineInterface"),
        tests("HTTPServer", uses: ["HTTP", "HTTPTestSupport"]),
        tests("HTTPClient", uses: ["HTTP", "HTTPServer", "HTTPTestSupport"]),
        tests("Benchmarking"),
        tests("AppStoreModel", uses: ["CounterfoilJSON"]),
        tests(
            "AppStoreVerification",
            uses: [
                "CounterfoilASN1", "CounterfoilJSON", "CounterfoilPropertyList",
                "CounterfoilCryptography", "AppStoreModel", "AppStoreSimulator",
                "RevocationTestSupport",
            ]
        ),
        tests(
            "AppStoreClient",
            uses: [
                "CounterfoilCryptography", "CounterfoilJSON", "AppStoreModel", "AppStoreSimulator",
                "HTTP", "HTTPClient", "VerifyReceiptTestSupport",
            ]
        ),
        tests(
            "DocumentInspection",
            uses: ["CounterfoilJSON", "AppStoreModel", "AppStoreVerification", "AppStoreSimulator"]
        ),
        tests(
            "PurchaseService",
            uses: [
                "CounterfoilJSON", "AppStoreClient", "AppStoreModel", "AppStoreVerification",
                "AppStoreSimulator", "Ledger", "Telemetry",
            ]
        ),
        tests(
            "AppStoreSimulator",
            uses: [
                "CounterfoilASN1", "CounterfoilCryptography", "CounterfoilJSON",
                "CounterfoilPropertyList", "AppStoreModel",
            ]
        ),
        tests(
            "Ledger",
            uses: [
                "CounterfoilJSON", "CounterfoilCryptography", "AppStoreModel",
                "AppStoreVerification", "AppStoreSimulator",
            ]
        ),
        tests(
            "Journal",
            uses: [
                "JournalSQLite", "JournalWritingProcess", "CSQLiteFaults", "RecordTestSupport",
                "CounterfoilCryptography", "AppStoreModel", "AppStoreVerification",
                "AppStoreSimulator", "Ledger",
            ]
        ),
        .testTarget(
            name: "RecordTests",
            dependencies: [
                "CounterfoilTestSupport", "RecordTestSupport", "CounterfoilBasics",
                "CounterfoilJSON", "AppStoreModel", "AppStoreVerification", "AppStoreSimulator",
                "Ledger", "Journal", "PurchaseService",
            ],
            swiftSettings: settings
        ),
        // The local App Store in process, its documents proved by the door.
        .testTarget(
            name: "LocalAppStoreTests",
            dependencies: [
                "CounterfoilTestSupport", "CounterfoilBasics", "CounterfoilJSON", "AppStoreModel",
                "AppStoreVerification", "AppStoreSimulator",
            ],
            swiftSettings: settings
        ),
        tests(
            "PurchaseServer",
            uses: [
                "CounterfoilJSON", "AppStoreModel", "AppStoreVerification", "AppStoreSimulator",
                "AppStoreClient", "PurchaseService", "Journal", "HTTP", "HTTPClient", "HTTPServer",
                "HTTPTestSupport", "RevocationTestSupport", "Telemetry",
                "VerifyReceiptTestSupport",
            ]
        ),
        // Through the built binary, as a user meets it.
        .testTarget(
            name: "CounterfoilCommandTests",
            dependencies: [
                "counterfoil", "CounterfoilTestSupport", "CounterfoilBasics", "AppStoreModel",
                "AppStoreSimulator", "CounterfoilJSON", "HTTPTestSupport", "RevocationTestSupport",
                "VerifyReceiptTestSupport",
            ],
            swiftSettings: settings
        ),
        // Programs of others, asked for their verdicts on the same receipts.
        .testTarget(
            name: "RefereeTests",
            dependencies: [
                "CounterfoilTestSupport", "CounterfoilBasics", "CounterfoilCryptography",
                "AppStoreModel", "AppStoreVerification", "AppStoreSimulator",
            ],
            swiftSettings: settings
        ),
        // Reads the sources: layers, banned calls, documents that must stay true.
        .testTarget(
            name: "TidyTests",
            dependencies: ["CounterfoilTestSupport"],
            swiftSettings: settings
        ),
    ] + fuzzers,
    cxxLanguageStandard: .cxx17
)
