#ifndef COUNTERFOIL_SQLITE_SHIM_H
#define COUNTERFOIL_SQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast, which Swift does not import: SQLite copies the bytes at once.
static inline int counterfoil_sqlite_bind_copy(
    sqlite3_stmt *statement, int position, const void *bytes, sqlite3_uint64 count
) {
    // An empty blob must not be NULL, which is another value.
    return count == 0
        ? sqlite3_bind_zeroblob(statement, position, 0)
        : sqlite3_bind_blob64(statement, position, bytes, count, SQLITE_TRANSIENT);
}

// SQLITE_STATIC likewise: the bytes stay where they are until the bindings are cleared.
static inline int counterfoil_sqlite_bind_lent(
    sqlite3_stmt *statement, int position, const void *bytes, sqlite3_uint64 count
) {
    return count == 0
        ? sqlite3_bind_zeroblob(statement, position, 0)
        : sqlite3_bind_blob64(statement, position, bytes, count, SQLITE_STATIC);
}

#endif
