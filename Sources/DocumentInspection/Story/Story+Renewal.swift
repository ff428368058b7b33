import AppStoreModel
import CounterfoilBasics

extension Story {
    /// Whether the subscription goes on, as what, for how much, and what is in the way.
    init(of renewalInfo: JWSRenewalInfoDecodedPayload, at now: Instant) {
        self.init(at: now)
        sayProspect(of: renewalInfo)
        say(renewalInfo.expirationIntent?.sentence)
        say(renewalInfo.priceIncreaseStatus?.sentence)
        state("product", renewalInfo.productId)
        if renewalInfo.autoRenewProductId != renewalInfo.productId {
            state("next product", renewalInfo.autoRenewProductId)
        }
        state("next price", renewalInfo.renewalPrice?.inWords(renewalInfo.currency))
        state(
            "next offer",
            Story.offer(
                renewalInfo.offerType,
                renewalInfo.offerIdentifier,
                renewalInfo.offerDiscountType,
                renewalInfo.offerPeriod
            )
        )
        state("renewal", renewalInfo.autoRenewStatus?.inWords, renewalInfo.autoRenewStatus?.tone)
        state("renewal date", renewalInfo.renewalDate)
        state("grace until", renewalInfo.gracePeriodExpiresDate)
        state("since", renewalInfo.recentSubscriptionStartDate)
        state("win-back", renewalInfo.eligibleWinBackOfferIds?.joined(separator: ", "))
        state("original", renewalInfo.originalTransactionId)
        state("account token", renewalInfo.appAccountToken)
        state("environment", renewalInfo.environment?.rawValue)
    }

    private mutating func state(_ name: String, _ text: String?, _ tone: Tone?) {
        state(name, text, tone ?? .plain)
    }

    private mutating func sayProspect(of renewalInfo: JWSRenewalInfoDecodedPayload) {
        if renewalInfo.isInBillingRetryPeriod == true {
            let grace = renewalInfo.gracePeriodExpiresDate.map { end in
                end > now
                    ? "; access is kept until \(when(end))" : "; the grace period ended \(day(end))"
            }
            return say("A payment failed, and the App Store tries again\(grace ?? "").")
        }
        switch renewalInfo.autoRenewStatus {
        case .on?: say(renewal(of: renewalInfo))
        case .off?:
            guard let end = renewalInfo.renewalDate else { return say("It will not renew.") }
            say(
                end > now
                    ? "It will not renew: it ends \(day(end))." : "It was not renewed \(day(end))."
            )
        default: return
        }
    }

    private func renewal(of renewalInfo: JWSRenewalInfoDecodedPayload) -> String {
        let isChange = renewalInfo.autoRenewProductId != renewalInfo.productId
        let product = isChange ? renewalInfo.autoRenewProductId.map { " as \($0)" } : nil
        let price = renewalInfo.renewalPrice?.inWords(renewalInfo.currency)
        let isPast = renewalInfo.renewalDate.map { $0 <= now } ?? false
        let date = renewalInfo.renewalDate.map { " \(day($0))" } ?? ""
        let terms = (product ?? "") + (price.map { " for \($0)" } ?? "")
        return (isPast ? "It was to renew" : "It will renew") + terms + date + "."
    }
}

extension AutoRenewStatus {
    fileprivate var inWords: String {
        switch self {
        case .on: "on"
        case .off: "off"
        default: "\(rawValue), which nobody here knows"
        }
    }

    fileprivate var tone: Story.Tone { self == .on ? .good : .plain }
}

extension ExpirationIntent {
    fileprivate var sentence: String {
        switch self {
        case .customerCancelled: "It ended because the customer had turned renewal off."
        case .billingError: "It ended because no payment went through."
        case .noConsentToPriceIncrease:
            "It ended because the customer did not consent to a higher price."
        case .productNotAvailable: "It ended because the product was not for sale."
        default: "It ended for another reason."
        }
    }
}

extension PriceIncreaseStatus {
    fileprivate var sentence: String {
        switch self {
        case .noAnswer: "The customer has not answered to a higher price yet."
        case .consentedOrNotified: "The customer knows of a higher price."
        default: "A higher price is in a state that nobody here knows."
        }
    }
}
