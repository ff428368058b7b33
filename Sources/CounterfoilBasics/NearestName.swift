/// The name that somebody who wrote another one probably meant.
package enum NearestName {
    /// Longer names are not compared: nobody mistypes them, and the effort grows with the square.
    private static let longest = 64

    /// The candidate nearest to a name, when one is near enough to be worth mentioning.
    ///
    /// A candidate is near when it is the only one that begins with the name, or when at most a
    /// third of its letters (at least one) were swapped, dropped, added or changed.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: What can have been meant.
    ///   - most: The most letters in which a near candidate differs, where names that nobody knows
    ///     are good as well; a beginning alone is then not near.
    /// - Returns: The nearest, if it is near enough.
    package static func nearest(
        to name: String,
        among candidates: [String],
        atMost most: Int? = nil
    ) -> String? {
        guard (1...longest).contains(name.utf8.count) else { return nil }
        let extensions = most == nil ? candidates.filter { $0.hasPrefix(name) } : []
        if name.count > 1, extensions.count == 1 { return extensions[0] }
        let letters = Array(name.lowercased())
        let distances = candidates.filter { $0.utf8.count <= longest }.map { candidate in
            (candidate, distance(letters, Array(candidate.lowercased())))
        }
        guard let (candidate, distance) = distances.min(by: { $0.1 < $1.1 }) else { return nil }
        let isNear =
            distance <= min(most ?? .max, max(1, candidate.count / 3))
            && distance < candidate.count
        return isNear ? candidate : nil
    }

    /// Optimal string alignment: insertions, deletions, changes and swaps of neighbours.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in 1..<(left.count + 1) {
            var current = [row]
            for column in 1..<(right.count + 1) {
                let changed = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(
                    previous[column] + 1,
                    current[column - 1] + 1,
                    previous[column - 1] + changed
                )
                if row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    best = min(best, beforePrevious[column - 2] + 1)
                }
                current.append(best)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
