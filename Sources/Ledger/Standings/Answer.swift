package import CounterfoilBasics

/// What is told of how a lineage stands: where two answers differ there is an event, and nowhere
/// else.
package struct Answer: Hashable, Sendable {
    /// How things stand.
    package var state: Standing.State
    /// The purchase that decides.
    package var purchase: PurchaseID
    /// Its product; nil where no document says.
    package var productId: String?
    /// When the period ends; nil where there is no end.
    package var expiresDate: Instant?
    /// How many of a consumable there are; 1 of everything else.
    package var quantity: Int64
    /// Whether the subscription renews; nil where nobody says.
    package var renews: Bool?
    /// The product of the next period where that is another one.
    package var plannedProductId: String?
}

extension Standing {
    /// What is told of it.
    package var answer: Answer {
        Answer(
            state: state,
            purchase: purchase,
            productId: productId,
            expiresDate: expiresDate,
            quantity: quantity,
            renews: renewal?.isOn,
            plannedProductId: plannedProductId
        )
    }
}

// MARK: - As a row

extension Answer {
    /// Adds the bytes of a row.
    package func write(to row: inout RowWriter) {
        row.write(state.rawValue)
        purchase.write(to: &row)
        productId.write(to: &row)
        expiresDate.write(to: &row)
        row.write(quantity)
        renews.write(to: &row)
        plannedProductId.write(to: &row)
    }

    /// Reads what ``write(to:)`` wrote; nil for other bytes.
    package init?(from row: inout RowReader) {
        guard let state = Standing.State(rawValue: row.text()),
            let purchase = PurchaseID(from: &row)
        else { return nil }
        self.init(
            state: state,
            purchase: purchase,
            productId: String?(from: &row) ?? nil,
            expiresDate: Instant?(from: &row) ?? nil,
            quantity: row.number(),
            renews: Bool?(from: &row) ?? nil,
            plannedProductId: String?(from: &row) ?? nil
        )
    }
}

extension Reason {
    /// Adds the bytes of a row.
    package func write(to row: inout RowWriter) {
        switch self {
        case .said(let about, let stamp):
            row.write(byte: 1)
            row.write(about.rawValue)
            stamp.write(to: &row)
        case .rule(let rule):
            row.write(byte: 2)
            row.write(rule.rawValue)
        }
    }

    /// Reads what ``write(to:)`` wrote; nil for other bytes.
    package init?(from row: inout RowReader) {
        switch row.byte() {
        case 1:
            guard let about = About(rawValue: row.text()), let stamp = Stamp(from: &row) else {
                return nil
            }
            self = .said(about, stamp)
        case 2:
            guard let rule = RuleName(rawValue: row.text()) else { return nil }
            self = .rule(rule)
        default: return nil
        }
    }
}
