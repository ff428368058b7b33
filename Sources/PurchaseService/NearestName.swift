/// The name that somebody who wrote another one probably meant.
enum NearestName {
    /// Longer names are not compared: the effort grows with the square.
    private static let longest = 64

    /// The candidate with the fewest letters to insert, drop, change or swap with their neighbour,
    /// whatever their case; nil when even that is more than a third of it.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        guard (1...longest).contains(name.utf8.count) else { return nil }
        let letters = Array(name.lowercased().utf8)
        let distances = candidates.map { ($0, distance(letters, Array($0.lowercased().utf8))) }
        guard let (candidate, distance) = distances.min(by: { $0.1 < $1.1 }),
            distance <= max(1, candidate.utf8.count / 3)
        else { return nil }
        return candidate
    }

    /// Optimal string alignment, row by row.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var best = min(rows[row][column + 1], current[column]) + 1
                best = min(best, rows[row][column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
