import CCounterfoilOpenSSL

/// OpenSSL as this project uses it: a library context of its own, and its error queue.
enum OpenSSL {
    /// A library context that holds the default provider and has read no configuration file, so
    /// that neither `openssl.cnf` nor other users of OpenSSL in the process change a verdict.
    ///
    /// Never freed: keys and digests live as long as the process.
    // OpenSSL locks inside a library context; the pointer itself never changes.
    nonisolated(unsafe) static let context: OpaquePointer = {
        guard let context = unsafe OSSL_LIB_CTX_new(),
            unsafe OSSL_PROVIDER_load(context, "default") != nil
        else { preconditionFailure("OpenSSL 3 must offer its default provider") }
        return unsafe context
    }()

    /// Forgets what earlier calls on this thread left in the error queue.
    static func clearErrors() { ERR_clear_error() }

    /// Empties this thread's error queue into text: OpenSSL's own words, oldest first.
    ///
    /// For the debug text of an error only: the words are OpenSSL's and change between versions.
    static func drainErrors() -> String? {
        var words: [String] = []
        var code = ERR_get_error()
        while code != 0 {
            if words.count < mostErrorsShown { words.append(text(of: code)) }
            code = ERR_get_error()
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    private static let mostErrorsShown = 8

    private static func text(of code: UInt) -> String {
        var text = [CChar](repeating: 0, count: 256)
        unsafe ERR_error_string_n(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension OpenSSL {
    /// What one of OpenSSL's `i2d_…` functions writes; nil when it fails.
    static func encoding(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8]? {
        let count = Int(write(nil))
        guard count > 0 else { return nil }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            // The function advances the pointer that it is given.
            var position = buffer.baseAddress
            filled = unsafe max(0, Int(write(&position)))
        }
        return bytes.isEmpty ? nil : bytes
    }
}
