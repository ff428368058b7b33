import AppStoreModel
import CounterfoilBasics

extension LocalAppStore {
    /// Buys a product on a device.
    ///
    /// A subscription follows the rules of its group: the first one begins, with the introductory
    /// offer where there is one and the customer is new to the group; a higher one, or one of the
    /// same level and length, takes the place of the present one at once; any other takes its place
    /// at the next renewal; the present one again turns its renewal on and takes back what was
    /// scheduled; and after the end it begins again.
    ///
    /// - Parameters:
    ///   - productId: The product.
    ///   - bundleId: The app.
    ///   - device: Where; its account pays.
    ///   - quantity: How many, 1 to 10, of products that can be bought several times.
    ///   - offerId: A promotional offer, a code's reference name or a win-back offer of the product;
    ///     products that are bought once have codes alone.
    ///   - token: The UUID with which the app marks the purchase as one of its accounts'.
    /// - Returns: The transaction that is newest then.
    /// - Throws: `store.unknown_app`, `store.unknown_product`, `store.unknown_offer`,
    ///   `store.not_for_sale`, `store.not_eligible`, `store.payment_failed`, `store.already_owned`,
    ///   `store.renewal_charged`, `store.not_possible`.
    @discardableResult
    public mutating func buy(
        _ productId: String,
        of bundleId: String,
        on device: Device.ID,
        quantity: Int64 = 1,
        offer offerId: String? = nil,
        appAccountToken token: String? = nil
    ) throws(StoreError) -> TransactionNumber {
        let product = try product(productId, of: bundleId)
        guard product.isForSale else {
            throw StoreError(
                StoreError.notForSale,
                "\(productId) is not for sale at \(now)"
            )
        }
        guard (1...10).contains(quantity) else {
            throw .notPossible("found a quantity of \(quantity), expected 1 to 10")
        }
        guard quantity == 1 || product.kind == .consumable || product.kind == .nonRenewing else {
            throw .notPossible("found a quantity of \(quantity) of \(productId), expected 1")
        }
        let order = Order(
            product: product,
            bundleId: bundleId,
            account: devices[device.index].account,
            quantity: quantity,
            offerId: offerId,
            token: token
        )
        let number = try take(order, on: device)
        devices[device.index].shown.insert(try index(of: number))
        return number
    }

    /// Gives what was ordered, with the app where the device has it not yet; nothing of either
    /// where the order is refused.
    private mutating func take(
        _ order: Order,
        on device: Device.ID
    ) throws(StoreError) -> TransactionNumber {
        let account = order.account.index
        let version = devices[device.index].apps[order.bundleId]
        let before = (accounts[account], numbers)
        do {
            if version == nil { try install(order.bundleId, on: device) }
            accounts[account].lastDevice = device
            guard let plan = order.product.plan else { return try buyOnce(order) }
            return try subscribe(order, plan)
        } catch {
            (accounts[account], numbers) = before
            devices[device.index].apps[order.bundleId] = version
            throw error
        }
    }

    /// What somebody wants to buy.
    struct Order {
        let product: Product
        let bundleId: String
        let account: AppleAccount.ID
        let quantity: Int64
        let offerId: String?
        let token: String?
    }

    /// Refuses to charge an account whose payments fail.
    func requirePayment(
        _ account: AppleAccount.ID,
        of price: Price
    ) throws(StoreError) {
        guard price.milliunits.rawValue > 0, accounts[account.index].payment == .fails else {
            return
        }
        throw StoreError(
            StoreError.paymentFailed,
            "the account's payments fail; expected one whose payments work"
        )
    }

    private mutating func buyOnce(_ order: Order) throws(StoreError) -> TransactionNumber {
        let product = order.product
        let storefront = accounts[order.account.index].storefront
        let offer = try order.offerId.map(product.offer)
        let price = (offer?.prices ?? product.prices)[storefront].times(order.quantity)
        if product.kind == .nonConsumable,
            let owned = lineages(of: order.account, in: order.bundleId).first(where: {
                $0.newest.productId == product.id && $0.newest.revocation == nil
            })
        {
            throw StoreError(
                StoreError.alreadyOwned,
                "\(product.id) was bought in transaction \(owned.original) already; restore it"
            )
        }
        try requirePayment(order.account, of: price)
        let number = numbers.transaction()
        let purchase = Purchase(
            number: number,
            productId: product.id,
            type: product.type,
            quantity: order.quantity,
            purchaseDate: bookingDate,
            expiresDate: nil,
            lineItem: nil,
            reason: .purchase,
            price: price,
            offer: offer.map(AppliedOffer.init),
            storefront: storefront
        )
        let index = open(
            Lineage(
                original: number,
                account: order.account,
                bundleId: order.bundleId,
                ownership: .purchased,
                group: nil,
                purchases: [purchase],
                renewal: nil,
                appAccountToken: order.token,
                lastSigned: now.advanced(by: .milliseconds(-1)),
                follows: nil
            )
        )
        conclude(.boughtOnce, index)
        return number
    }
}
