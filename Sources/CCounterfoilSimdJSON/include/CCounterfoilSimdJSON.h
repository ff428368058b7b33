// A C face for the part of simdjson that CounterfoilJSON uses: finding the tokens of a text.
//
// simdjson reads in two stages. The first checks UTF-8, pairs quotation marks and notes where each
// token begins, with vector instructions, at gigabytes a second; the second walks the tokens. Only
// the first is used: the second refuses integers beyond 64 bits and 1e400, and the On-Demand
// reader neither looks at what is skipped nor says where it stopped. CounterfoilJSON walks the
// tokens itself, in a language that checks bounds.
#ifndef COUNTERFOIL_SIMDJSON_H
#define COUNTERFOIL_SIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The tokens of one text.
typedef struct counterfoil_json_tokens counterfoil_json_tokens;

/// What the search for tokens came to.
typedef enum __attribute__((enum_extensibility(closed))) counterfoil_json_result {
    /// The text is UTF-8, its strings are closed, and it has at least one token.
    counterfoil_json_found,
    /// The text is white space only.
    counterfoil_json_empty,
    /// The text ends within a string.
    counterfoil_json_unclosed_string,
    /// A string holds a character below U+0020.
    counterfoil_json_unescaped_control,
    /// The text is not UTF-8.
    counterfoil_json_not_utf8,
    /// The text has 4 GiB or more.
    counterfoil_json_too_large,
    /// There is no memory for the tokens.
    counterfoil_json_out_of_memory,
    /// simdjson failed in a way that is not known.
    counterfoil_json_failed
} counterfoil_json_result;

/// Finds the tokens of a text, of which nothing beyond `count` is touched.
///
/// A token begins at each bracket, colon and comma, at each opening quotation mark, and at each
/// run of other characters that are not white space. `*tokens` is set where the result is
/// counterfoil_json_found, and must then be given to counterfoil_json_release.
counterfoil_json_result counterfoil_json_find(
    const uint8_t *_Nullable text, size_t count,
    counterfoil_json_tokens *_Nullable *_Nonnull tokens);

/// The number of tokens.
size_t counterfoil_json_count(const counterfoil_json_tokens *_Nonnull tokens);

/// Where each token begins, ascending, and behind the last the end of the text.
const uint32_t *_Nonnull counterfoil_json_offsets(const counterfoil_json_tokens *_Nonnull tokens);

/// Gives the tokens back; a small buffer stays with the thread for the next text.
void counterfoil_json_release(counterfoil_json_tokens *_Nonnull tokens);

#ifdef __cplusplus
}
#endif

#endif
