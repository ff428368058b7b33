#include "CCounterfoilSimdJSON.h"

#include <simdjson.h>

#include <limits>
#include <memory>
#include <new>

static_assert(simdjson::SIMDJSON_VERSION_MAJOR >= 3, "stage 1 is used as simdjson 3 declares it");

struct counterfoil_json_tokens {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
};

namespace {

// simdjson takes four bytes for each byte of capacity: up to this many bytes of text, the buffer
// is kept by the thread; beyond, it is freed at once.
constexpr size_t kept_capacity = 64 * 1024;
constexpr size_t least_capacity = 4 * 1024;

thread_local std::unique_ptr<counterfoil_json_tokens> spare;

// Tokens with room for a text, the thread's own where it fits.
std::unique_ptr<counterfoil_json_tokens> tokens_for(size_t count) {
    if (spare && spare->stage->capacity() >= count) { return std::move(spare); }
    std::unique_ptr<counterfoil_json_tokens> tokens(new (std::nothrow) counterfoil_json_tokens());
    if (!tokens) { return nullptr; }
    size_t capacity = least_capacity;
    while (capacity < count && capacity < kept_capacity) { capacity *= 2; }
    if (capacity < count) { capacity = count; }
    // The depth is that of stage 2, which never runs.
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        capacity, 1, tokens->stage);
    if (error) { return nullptr; }
    return tokens;
}

counterfoil_json_result result_of(simdjson::error_code error) {
    switch (error) {
    case simdjson::SUCCESS: return counterfoil_json_found;
    case simdjson::EMPTY: return counterfoil_json_empty;
    case simdjson::UNCLOSED_STRING: return counterfoil_json_unclosed_string;
    case simdjson::UNESCAPED_CHARS: return counterfoil_json_unescaped_control;
    case simdjson::UTF8_ERROR: return counterfoil_json_not_utf8;
    case simdjson::MEMALLOC: return counterfoil_json_out_of_memory;
    default: return counterfoil_json_failed;
    }
}

}  // namespace

counterfoil_json_result counterfoil_json_find(
    const uint8_t *text, size_t count, counterfoil_json_tokens **tokens) {
    *tokens = nullptr;
    if (text == nullptr || count == 0) { return counterfoil_json_empty; }
    // Offsets have 32 bits, and simdjson rounds capacities up.
    if (count >= std::numeric_limits<uint32_t>::max() - 128) { return counterfoil_json_too_large; }
    auto found = tokens_for(count);
    if (!found) { return counterfoil_json_out_of_memory; }
    const auto result =
        result_of(found->stage->stage1(text, count, simdjson::stage1_mode::regular));
    if (result == counterfoil_json_found) {
        *tokens = found.release();
    } else {
        counterfoil_json_release(found.release());
    }
    return result;
}

size_t counterfoil_json_count(const counterfoil_json_tokens *tokens) {
    return tokens->stage->n_structural_indexes;
}

const uint32_t *counterfoil_json_offsets(const counterfoil_json_tokens *tokens) {
    return tokens->stage->structural_indexes.get();
}

void counterfoil_json_release(counterfoil_json_tokens *tokens) {
    std::unique_ptr<counterfoil_json_tokens> owned(tokens);
    const size_t capacity = owned->stage->capacity();
    if (capacity <= kept_capacity && (!spare || spare->stage->capacity() < capacity)) {
        spare = std::move(owned);
    }
}
