import Testing

@Suite("The floors of the house")
struct LayerTests {
    let architecture = Architecture()

    /// What the toolchain itself brings.
    static let toolchain: Set = [
        "Swift", "Synchronization", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Dispatch",
    ]

    @Test("The document names exactly the targets that there are")
    func targets() {
        let folders = Set(
            Tree.files.filter { $0.hasPrefix("Sources/") }
                .map { String($0.split(separator: "/")[1]) }
        )
        #expect(Set(architecture.targets.keys) == folders)
    }

    @Test("A target is granted lower floors only")
    func floors() {
        for target in architecture.targets.values {
            for used in target.uses {
                guard let lower = architecture.targets[used] else {
                    Issue.record("\(target.name) uses \(used), which is no target")
                    continue
                }
                if lower.floor >= target.floor {
                    Issue.record("\(target.name) uses \(used), which is not below it")
                }
            }
        }
    }

    @Test("A target imports only what the document grants it")
    func imports() {
        for file in Tree.sources {
            let granted = architecture.targets[file.target]?.uses ?? []
            for (module, line) in file.imports
            where !granted.contains(module) && !Self.toolchain.contains(module) {
                Issue.record("\(file.path):\(line) imports \(module), which is not granted to it")
            }
        }
    }

    @Test("The manifest grants a target no more than the document does")
    func manifest() {
        let manifest = Tree.text(of: "Package.swift")
        let room =
            #/(?:room\(\s*|executableTarget\(\s*name: )"(\w+)",?\s*(?:(?:uses|dependencies): \[([^\]]*)\])?/#
        let rooms = manifest.matches(of: room)
        #expect(rooms.count > 10)
        for match in rooms {
            let name = String(match.1)
            // What `make bench`, `make fuzz` and tests run may look into the sources.
            let beside = ["CounterfoilBenchmarks", "CounterfoilFuzzer", "JournalWritingProcess"]
            guard !beside.contains(name) else { continue }
            let uses = (match.2 ?? "").matches(of: #/"(\w+)"/#).map { String($0.1) }
            let granted = architecture.targets[name]?.uses ?? []
            let excess = Set(uses).subtracting(granted)
            #expect(excess.isEmpty, "the manifest grants \(name) also \(excess.sorted())")
        }
    }

    @Test("Each C library is imported by one target")
    func systemLibraries() {
        for module in architecture.targets.values.filter({ $0.floor == 0 }).map(\.name) {
            let importers = Set(
                Tree.sources.filter { $0.imports.contains { $0.module == module } }.map(\.target)
            )
            #expect(importers.count <= 1, "\(module) is imported by \(importers.sorted())")
        }
    }
}
