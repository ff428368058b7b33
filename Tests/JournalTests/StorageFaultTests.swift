import Testing

/// What happens to a journal when its disk fails, fills up, or loses power; one at a time, because
/// there is one faulty disk.
@Suite("Faults of the storage", .serialized)
struct StorageFaultTests {}
