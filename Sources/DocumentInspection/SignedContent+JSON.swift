package import AppStoreModel
import CounterfoilBasics
import CounterfoilJSON

extension SignedContent {
    /// Writes the payload whole, and beside it what we read in it.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", kind.rawValue)
            writer.member("payload", value: .object(payload))
            writer.key("reading")
            writeReading(to: &writer)
            writer.array("documents", inside) { writer, inside in
                writer.object { writer in
                    writer.member("path", inside.path)
                    writer.key("content")
                    inside.content.write(to: &writer)
                }
            }
        }
    }

    private func writeReading(to writer: inout JSONWriter) {
        let members = MemberReading.all(of: payload, known: knownMembers)
        let label = notification.map { NotificationLabel($0) }
        writer.object { writer in
            writer.nullable("label", label?.rawValue)
            writer.nullable("sentence", label?.sentence)
            writer.nullable("price", price)
            writer.key("dates")
            writer.objectOnOneLine { writer in
                for member in members {
                    guard let date = member.date else { continue }
                    writer.key(text: member.path)
                    writer.string(date.description)
                }
            }
            writer.array("unknownMembers", members.filter { !$0.isKnown }) { $0.string($1.path) }
        }
    }

    /// What was paid, or will be: `9.99 AUD`.
    private var price: String? {
        if let transaction {
            return transaction.price.map { $0.inWords(transaction.currency) }
        }
        return renewalInfo.flatMap { renewalInfo in
            renewalInfo.renewalPrice.map { $0.inWords(renewalInfo.currency) }
        }
    }
}

extension Milliunits {
    /// `9.99 AUD`; without a currency the number alone.
    package func inWords(_ currency: String?) -> String {
        let magnitude = rawValue.magnitude
        let fraction = String(String(magnitude % 1000 + 1000).dropFirst())
        // Two places as people write money, three where it needs them.
        let places = fraction.hasSuffix("0") ? fraction.dropLast() : fraction[...]
        let number = "\(rawValue < 0 ? "-" : "")\(magnitude / 1000).\(places)"
        return currency.map { "\(number) \($0)" } ?? number
    }
}
