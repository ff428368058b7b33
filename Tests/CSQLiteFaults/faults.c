#include "CSQLiteFaults.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    int kinds, how;
    long well, failing;
    long seen, failed;
} plan;

static struct {
    int is_on;
    struct counterfoil_deed *deeds;
    long count, room;
} memory;

void counterfoil_faults_arm(int kinds, int how, long well, long failing) {
    pthread_mutex_lock(&lock);
    plan.kinds = kinds;
    plan.how = how;
    plan.well = well;
    plan.failing = failing;
    plan.seen = plan.failed = 0;
    pthread_mutex_unlock(&lock);
}

void counterfoil_faults_disarm(void) { counterfoil_faults_arm(0, 0, 0, 0); }

long counterfoil_faults_seen(void) {
    pthread_mutex_lock(&lock);
    long seen = plan.seen;
    pthread_mutex_unlock(&lock);
    return seen;
}

long counterfoil_faults_failed(void) {
    pthread_mutex_lock(&lock);
    long failed = plan.failed;
    pthread_mutex_unlock(&lock);
    return failed;
}

/// How an operation of some kinds shall fail; -1 where it shall not.
static int fault(int kinds) {
    int how = -1;
    pthread_mutex_lock(&lock);
    if (plan.kinds & kinds) {
        long number = plan.seen++;
        if (number >= plan.well && number - plan.well < plan.failing) {
            how = plan.how;
            plan.failed++;
        }
    }
    pthread_mutex_unlock(&lock);
    return how;
}

// Memory of what was done.

void counterfoil_deeds_begin(void) {
    pthread_mutex_lock(&lock);
    for (long index = 0; index < memory.count; index++) free((void *)memory.deeds[index].bytes);
    memory.count = 0;
    memory.is_on = 1;
    pthread_mutex_unlock(&lock);
}

long counterfoil_deeds_count(void) {
    pthread_mutex_lock(&lock);
    long count = memory.count;
    pthread_mutex_unlock(&lock);
    return count;
}

struct counterfoil_deed counterfoil_deed_at(long index) {
    pthread_mutex_lock(&lock);
    struct counterfoil_deed deed = memory.deeds[index];
    pthread_mutex_unlock(&lock);
    return deed;
}

static void remember(int kind, const char *name, long offset, long count, const void *bytes) {
    pthread_mutex_lock(&lock);
    if (memory.is_on && name) {
        if (memory.count == memory.room) {
            memory.room = memory.room ? memory.room * 2 : 1024;
            memory.deeds = realloc(memory.deeds, memory.room * sizeof *memory.deeds);
        }
        struct counterfoil_deed *deed = &memory.deeds[memory.count++];
        memset(deed, 0, sizeof *deed);
        const char *last = strrchr(name, '/');
        strncpy(deed->name, last ? last + 1 : name, sizeof deed->name - 1);
        deed->kind = kind;
        deed->offset = offset;
        deed->count = count;
        if (bytes) deed->bytes = memcpy(malloc(count), bytes, count);
    }
    pthread_mutex_unlock(&lock);
}

// Files.

struct file {
    sqlite3_file base;
    const char *name;
    sqlite3_file *real;
};

static sqlite3_file *real(sqlite3_file *file) { return ((struct file *)file)->real; }
static const char *name(sqlite3_file *file) { return ((struct file *)file)->name; }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fault(COUNTERFOIL_READ) >= 0) return SQLITE_IOERR_READ;
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_int64 size = 0;
    real(file)->pMethods->xFileSize(real(file), &size);
    int how = fault(COUNTERFOIL_WRITE | (offset + count > size ? COUNTERFOIL_GROW : 0));
    if (how < 0) {
        remember(COUNTERFOIL_WRITE, name(file), offset, count, bytes);
        return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    }
    if (how != COUNTERFOIL_FAILS) {
        real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    }
    if (how == COUNTERFOIL_KILLS) raise(SIGKILL);
    return how == COUNTERFOIL_IS_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int how = fault(COUNTERFOIL_TRUNCATE);
    if (how == COUNTERFOIL_KILLS) raise(SIGKILL);
    if (how >= 0) return SQLITE_IOERR_TRUNCATE;
    remember(COUNTERFOIL_TRUNCATE, name(file), size, 0, NULL);
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    int how = fault(COUNTERFOIL_SYNC);
    if (how == COUNTERFOIL_KILLS) raise(SIGKILL);
    if (how >= 0) return SQLITE_IOERR_FSYNC;
    remember(COUNTERFOIL_SYNC, name(file), 0, 0, NULL);
    return real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
static int file_lock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xLock(real(file), level);
}
static int file_unlock(sqlite3_file *file, int level) {
    return real(file)->pMethods->xUnlock(real(file), level);
}
static int file_is_reserved(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int file_sector_size(sqlite3_file *file) {
    return real(file)->pMethods->xSectorSize(real(file));
}
static int file_characteristics(sqlite3_file *file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int file_shared_map(sqlite3_file *file, int region, int size, int extend, void volatile **at) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extend, at);
}
static int file_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_shared_barrier(sqlite3_file *file) {
    real(file)->pMethods->xShmBarrier(real(file));
}
static int file_shared_unmap(sqlite3_file *file, int is_deleting) {
    return real(file)->pMethods->xShmUnmap(real(file), is_deleting);
}

// Without mapping of files, so that all that is written comes by here.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shared_map,
    .xShmLock = file_shared_lock,
    .xShmBarrier = file_shared_barrier,
    .xShmUnmap = file_shared_unmap,
};

// The disk.

static sqlite3_vfs *system_disk;

static int disk_open(
    sqlite3_vfs *disk, const char *path, sqlite3_file *opened, int flags, int *result
) {
    struct file *file = (struct file *)opened;
    file->base.pMethods = NULL;
    // SQLite keeps the name as long as the file is open.
    file->name = path;
    file->real = (sqlite3_file *)(file + 1);
    int outcome = system_disk->xOpen(system_disk, path, file->real, flags, result);
    if (outcome == SQLITE_OK) file->base.pMethods = &methods;
    return outcome;
}

static int disk_delete(sqlite3_vfs *disk, const char *path, int is_synced) {
    int how = fault(COUNTERFOIL_DELETE);
    if (how == COUNTERFOIL_KILLS) raise(SIGKILL);
    if (how >= 0) return SQLITE_IOERR_DELETE;
    remember(COUNTERFOIL_DELETE, path, 0, 0, NULL);
    return system_disk->xDelete(system_disk, path, is_synced);
}

const char *counterfoil_faults_register(void) {
    static sqlite3_vfs disk;
    static const char disk_name[] = "counterfoil-faults";
    pthread_mutex_lock(&lock);
    if (!system_disk) {
        system_disk = sqlite3_vfs_find(NULL);
        disk = *system_disk;
        disk.zName = disk_name;
        disk.szOsFile += sizeof(struct file);
        disk.xOpen = disk_open;
        disk.xDelete = disk_delete;
        disk.pNext = NULL;
        sqlite3_vfs_register(&disk, 0);
    }
    pthread_mutex_unlock(&lock);
    return disk_name;
}

int counterfoil_run_sql(const char *path, const char *disk_name, const char *sql) {
    sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int result = sqlite3_open_v2(path, &database, flags, disk_name);
    if (result == SQLITE_OK) result = sqlite3_exec(database, sql, NULL, NULL, NULL);
    sqlite3_close(database);
    return result;
}
