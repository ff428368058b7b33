package import CounterfoilBasics

extension PurchaseID {
    /// The form in a row.
    func write(to row: inout RowWriter) {
        switch self {
        case .period(let lineItem):
            row.write(byte: 1)
            row.write(lineItem)
        case .undocumentedPeriod(let begin):
            row.write(byte: 2)
            row.write(begin)
        case .oneTime: row.write(byte: 3)
        case .xcode(let transactionId, let begin):
            row.write(byte: 4)
            row.write(transactionId)
            row.write(begin)
        }
    }

    init?(from row: inout RowReader) {
        switch row.byte() {
        case 1: self = .period(lineItem: row.text())
        case 2: self = .undocumentedPeriod(begin: row.instant())
        case 3: self = .oneTime
        case 4: self = .xcode(transactionId: row.text(), begin: row.instant())
        default: return nil
        }
    }
}

extension Stamp {
    /// The form in a row.
    package func write(to row: inout RowWriter) {
        row.write(attestedAt)
        row.write(byte: grade.rawValue << 4 | rank.rawValue)
        row.write(digest)
    }

    package init?(from row: inout RowReader) {
        let attestedAt = row.instant()
        let both = row.byte()
        guard let grade = Grade(rawValue: both >> 4), let rank = LifeCycleRank(rawValue: both & 0xF)
        else { return nil }
        self.init(attestedAt: attestedAt, grade: grade, rank: rank, digest: row.digest())
    }
}
