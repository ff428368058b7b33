import CounterfoilCryptography

/// Takes a document apart into a recipe, by what its bytes look like.
///
/// It proves nothing and relies on nothing: what it does not recognise stays as it is, and whoever
/// asks for it puts the recipe together again and compares.
enum Dissection {
    /// Shorter base 64 is not worth a step; it would be a digest or an identifier.
    private static let fewestLetters = 64

    /// Writes the recipe of a document.
    static func write(_ document: [UInt8], to writer: inout RecipeWriter) {
        if let message = signedMessage(document) {
            write(message, to: &writer)
        } else {
            writeText(document[...], to: &writer)
        }
    }

    // MARK: - Text

    /// Writes text (JSON, a property list), the base 64 and the signed data in it apart.
    private static func writeText(_ text: ArraySlice<UInt8>, to writer: inout RecipeWriter) {
        var start = text.startIndex
        for run in EncodedRuns(text) where run.letters.count >= fewestLetters {
            let written = text[start..<run.letters.startIndex]
            if let token = CompactToken(run), hasRoom(2, in: writer) {
                writer.text(written)
                writer.form(.document) { write(token, to: &$0) }
            } else if let (form, bytes) = decoded(run.letters), hasRoom(2, in: writer) {
                writer.text(written)
                writer.form(form) { writeDecoded(bytes, to: &$0) }
            } else {
                continue
            }
            start = run.letters.endIndex
        }
        writer.text(text[start...])
    }

    private static func hasRoom(_ levels: Int, in writer: RecipeWriter) -> Bool {
        writer.level + levels <= Recipe.mostLevels
    }

    private static func decoded(
        _ run: ArraySlice<UInt8>
    ) -> (form: Recipe.Form, bytes: [UInt8])? {
        for form in [Recipe.Form.base64, .escapedBase64, .base64url] {
            if let bytes = form.decode(run) { return (form, bytes) }
        }
        return nil
    }

    /// Writes what stood in base 64: a receipt, a part of one, or anything.
    private static func writeDecoded(_ bytes: [UInt8], to writer: inout RecipeWriter) {
        if let message = signedMessage(bytes) {
            writer.form(.document) { write(message, to: &$0) }
        } else if let blob = ReceiptSignature(bytes) {
            write(blob, to: &writer)
        } else if isTransactionReceipt(bytes) {
            writer.form(.document) { writeText(bytes[...], to: &$0) }
        } else {
            writeText(bytes[...], to: &writer)
        }
    }

    // MARK: - Signed data

    /// Writes a JWS: its header has the certificates, its signature is as good as random.
    private static func write(_ token: CompactToken, to writer: inout RecipeWriter) {
        writer.shared(token.header)
        writer.text(CompactToken.dot)
        if let payload = Recipe.Form.base64url.decode(token.payload), hasRoom(1, in: writer) {
            writer.form(.base64url) { writeText(payload[...], to: &$0) }
        } else {
            writer.text(token.payload)
        }
        writer.text(CompactToken.dot)
        if let signature = Recipe.Form.base64url.decode(token.signature), hasRoom(1, in: writer) {
            writer.form(.base64url) { $0.dense(signature[...]) }
        } else {
            writer.text(token.signature)
        }
    }

    // MARK: - Receipts

    private static func signedMessage(_ bytes: [UInt8]) -> CMSSignedData? {
        guard bytes.first == 0x30 else { return nil }
        do {
            return try CMSSignedData(bytes, certificateLimit: 8)
        } catch {
            return nil
        }
    }

    /// Writes an app receipt: its bag of certificates and its signatures apart.
    private static func write(_ message: CMSSignedData, to writer: inout RecipeWriter) {
        let bytes = message.bytes
        let bag = message.certificateBag
        writer.text(bytes[..<bag.lowerBound])
        writer.shared(bytes[bag])
        var start = bag.upperBound
        for signer in message.signers where signer.signature.lowerBound >= start {
            writer.text(bytes[start..<signer.signature.lowerBound])
            writer.dense(bytes[signer.signature])
            start = signer.signature.upperBound
        }
        writer.text(bytes[start...])
    }

    /// Writes the signature of an iOS 6-style receipt, which has its certificate in it.
    private static func write(_ blob: ReceiptSignature, to writer: inout RecipeWriter) {
        writer.text(blob.version)
        writer.dense(blob.signature)
        writer.text(blob.certificateLength)
        writer.shared(blob.certificate)
    }

    /// Whether bytes look like an iOS 6-style receipt: a property list with another in it.
    private static func isTransactionReceipt(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "{")
            && bytes.contains("\"purchase-info\"".utf8)
    }
}
