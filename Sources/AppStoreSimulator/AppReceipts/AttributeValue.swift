public import AppStoreModel
import CounterfoilASN1
public import CounterfoilBasics

/// The value of a receipt attribute, in one of the types that receipts use, or as raw octets.
public enum AttributeValue: Hashable, Sendable {
    /// An INTEGER.
    case integer(Int64)
    /// A UTF8String, as most texts are.
    case text(String)
    /// An IA5String, as dates and the age rating are; what is not ASCII is written as it is.
    case asciiText(String)
    /// Octets that are no ASN.1 value by themselves, as attributes 4 to 7 are; or any encoding.
    case octets([UInt8])

    /// The content of the attribute's OCTET STRING.
    public var encoding: [UInt8] {
        var writer = DERWriter()
        switch self {
        case .integer(let number): writer.integer(number)
        case .text(let text): writer.utf8String(text)
        case .asciiText(let text): writer.primitive(.ia5String, text.utf8)
        case .octets(let octets): return octets
        }
        return writer.bytes
    }

    /// A date in the form of the App Store's servers, or the empty text that stands for none.
    ///
    /// - Throws: `issue.not_representable` for a year beyond 0 to 9999.
    public static func date(_ instant: Instant?) throws(SimulatorError) -> AttributeValue {
        try date(instant, zoneMinutes: nil)
    }

    /// A date in local time with an offset, as older versions of Xcode write it.
    ///
    /// - Parameters:
    ///   - instant: The date; rounded down to a whole second.
    ///   - zoneMinutes: The offset from UTC; nil for `Z`.
    /// - Returns: The date's text, or the empty one when there is no date.
    /// - Throws: `issue.not_representable` for a year beyond 0 to 9999.
    public static func date(
        _ instant: Instant?,
        zoneMinutes: Int?
    ) throws(SimulatorError) -> AttributeValue {
        guard let instant else { return .asciiText("") }
        let civil = CivilTime(instant.advanced(by: .seconds((zoneMinutes ?? 0) * 60)))
        guard (0...9999).contains(civil.year) else {
            throw SimulatorError(
                SimulatorError.notRepresentable,
                "found \(instant) as a date of a receipt, expected a year from 0 to 9999"
            )
        }
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(civil.year / 100, then: nil, to: &text)
        append(civil.year % 100, then: UInt8(ascii: "-"), to: &text)
        append(civil.month, then: UInt8(ascii: "-"), to: &text)
        append(civil.day, then: UInt8(ascii: "T"), to: &text)
        append(civil.hour, then: UInt8(ascii: ":"), to: &text)
        append(civil.minute, then: UInt8(ascii: ":"), to: &text)
        append(civil.second, then: nil, to: &text)
        appendOffset(zoneMinutes, to: &text)
        return .asciiText(String(decoding: text, as: UTF8.self))
    }

    /// `Z`, or `+0300` without a colon.
    private static func appendOffset(_ minutes: Int?, to text: inout [UInt8]) {
        guard let minutes else {
            text.append(UInt8(ascii: "Z"))
            return
        }
        text.append(UInt8(ascii: minutes < 0 ? "-" : "+"))
        append(abs(minutes) / 60, then: nil, to: &text)
        append(abs(minutes) % 60, then: nil, to: &text)
    }

    /// Appends a number below 100 in two digits.
    private static func append(_ number: Int, then sign: UInt8?, to text: inout [UInt8]) {
        text.append(0x30 + UInt8(truncatingIfNeeded: number / 10))
        text.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
        if let sign { text.append(sign) }
    }
}

extension ReceiptAttribute {
    /// Makes an attribute of a value.
    ///
    /// - Parameters:
    ///   - type: The attribute's number.
    ///   - value: What its OCTET STRING holds.
    ///   - version: Its version: 1 for all but attribute 4 of the App Store's servers.
    public init(_ type: Int64, _ value: AttributeValue, version: Int64 = 1) {
        self.init(type: type, version: version, value: value.encoding[...])
    }
}
