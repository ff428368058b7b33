import CounterfoilBasics

/// What is due, the earliest first; of what is due at one instant, what was put down first.
struct Agenda: Sendable {
    /// That something becomes due for a lineage, unless the lineage changed since.
    struct Entry: Hashable, Sendable {
        let at: Instant
        let order: Int
        let lineage: Int
        let revision: Int

        func isBefore(_ other: Entry) -> Bool {
            (at.millisecondsSince1970, order) < (other.at.millisecondsSince1970, other.order)
        }
    }

    private var heap: [Entry] = []
    private var order = 0

    /// The earliest entry.
    var first: Entry? { heap.first }

    mutating func add(_ lineage: Int, revision: Int, at instant: Instant) {
        heap.append(Entry(at: instant, order: order, lineage: lineage, revision: revision))
        order += 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
