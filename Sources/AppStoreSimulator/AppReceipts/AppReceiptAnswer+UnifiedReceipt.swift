import AppStoreModel
import CounterfoilJSON

extension AppReceiptAnswer {
    /// The most transactions in the `unified_receipt` of a notification.
    private static let mostTransactions = 100

    /// The answer as notifications of version 1 hold it in `unified_receipt`: what is beside the
    /// receipt itself, with the first hundred transactions.
    ///
    /// - Throws: `issue.not_representable`.
    func unifiedReceipt(in environment: StoreEnvironment) throws(SimulatorError) -> JSONObject {
        var answer = self
        if let latest = subscriptions?.latestReceiptInfo.prefix(Self.mostTransactions) {
            answer.subscriptions?.latestReceiptInfo = Array(latest)
        }
        let shown = try VerifyReceiptResponse(answer, environment: environment).members
        var unified: JSONObject = [:]
        for key in [
            "environment", "latest_receipt", "latest_receipt_info", "pending_renewal_info",
            "status",
        ] { unified[key] = shown[key] }
        return unified
    }
}

extension VerifyReceiptResponse {
    /// The members of the answer's JSON, in which notifications of version 1 have parts of theirs.
    ///
    /// - Throws: `issue.not_representable`.
    var members: JSONObject {
        get throws(SimulatorError) {
            do {
                return try JSONMembers(JSONValue(parsing: json)).object
            } catch {
                throw SimulatorError(SimulatorError.notRepresentable, error.reason)
            }
        }
    }
}
