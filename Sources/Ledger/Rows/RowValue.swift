import AppStoreModel
import CounterfoilBasics

/// A value that a register holds, and its form in a row.
protocol RowValue: RegisterValue {
    func write(to row: inout RowWriter)

    /// Reads a value; nil for bytes of another form.
    init?(from row: inout RowReader)
}

extension String: RowValue {
    func write(to row: inout RowWriter) { row.write(self) }

    init?(from row: inout RowReader) { self = row.text() }
}

extension Int64: RowValue {
    func write(to row: inout RowWriter) { row.write(self) }

    init?(from row: inout RowReader) { self = row.number() }
}

extension Bool: RowValue {
    func write(to row: inout RowWriter) { row.write(self) }

    init?(from row: inout RowReader) { self = row.flag() }
}

extension Instant: RowValue {
    func write(to row: inout RowWriter) { row.write(self) }

    init?(from row: inout RowReader) { self = row.instant() }
}

extension Optional: RowValue where Wrapped: RowValue {
    func write(to row: inout RowWriter) {
        row.write(self != nil)
        self?.write(to: &row)
    }

    init?(from row: inout RowReader) {
        guard row.flag() else {
            self = Wrapped?.none
            return
        }
        guard let wrapped = Wrapped(from: &row) else { return nil }
        self = .some(wrapped)
    }
}

/// Apple's words and numbers, whatever they may be.
extension RowValue where Self: RawRepresentable, RawValue: RowValue {
    func write(to row: inout RowWriter) { rawValue.write(to: &row) }

    init?(from row: inout RowReader) {
        guard let rawValue = RawValue(from: &row) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension InAppPurchaseType: RowValue {}
extension InAppOwnershipType: RowValue {}
extension PersonalReference: RowValue {}

// MARK: - Values of several fields

extension RowWriter {
    fileprivate mutating func writeField<Field: RawRepresentable>(
        _ field: Field?
    ) where Field.RawValue: RowValue {
        (field?.rawValue).write(to: &self)
    }
}

extension RowReader {
    fileprivate mutating func field<Field: RawRepresentable>(
        as type: Field.Type = Field.self
    ) -> Field? where Field.RawValue: RowValue {
        guard let rawValue = Field.RawValue?(from: &self) ?? nil else { return nil }
        return Field(rawValue: rawValue)
    }

    fileprivate mutating func field<Field: RowValue>() -> Field? { Field?(from: &self) ?? nil }
}

extension Revocation: RowValue {
    func write(to row: inout RowWriter) {
        row.write(date)
        row.writeField(reason)
        row.writeField(type)
        row.writeField(percentage)
    }

    init?(from row: inout RowReader) {
        self.init(
            date: row.instant(),
            reason: row.field(),
            type: row.field(),
            percentage: row.field()
        )
    }
}

extension OfferUsed: RowValue {
    func write(to row: inout RowWriter) {
        row.writeField(type)
        identifier.write(to: &row)
        row.writeField(discountType)
        row.writeField(period)
    }

    init?(from row: inout RowReader) {
        self.init(
            type: row.field(),
            identifier: row.field(),
            discountType: row.field(),
            period: row.field()
        )
    }
}

extension PricePaid: RowValue {
    func write(to row: inout RowWriter) {
        row.write(milliunits.rawValue)
        currency.write(to: &row)
    }

    init?(from row: inout RowReader) {
        self.init(milliunits: Milliunits(rawValue: row.number()), currency: row.field())
    }
}

extension RenewalChoice: RowValue {
    func write(to row: inout RowWriter) {
        row.write(isOn)
        nextProductId.write(to: &row)
        renewalDate.write(to: &row)
    }

    init?(from row: inout RowReader) {
        self.init(isOn: row.flag(), nextProductId: row.field(), renewalDate: row.field())
    }
}

extension RenewalFailure: RowValue {
    func write(to row: inout RowWriter) {
        row.writeField(expirationIntent)
        row.write(isInBillingRetry)
        gracePeriodExpiresDate.write(to: &row)
        renewalDate.write(to: &row)
    }

    init?(from row: inout RowReader) {
        self.init(
            expirationIntent: row.field(),
            isInBillingRetry: row.flag(),
            gracePeriodExpiresDate: row.field(),
            renewalDate: row.field()
        )
    }
}

extension PriceConsent: RowValue {
    func write(to row: inout RowWriter) { row.writeField(status) }

    init?(from row: inout RowReader) { self.init(status: row.field()) }
}
