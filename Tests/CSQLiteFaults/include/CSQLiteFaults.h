#ifndef COUNTERFOIL_SQLITE_FAULTS_H
#define COUNTERFOIL_SQLITE_FAULTS_H

// A disk that fails when it is told to, and remembers what was written: a VFS of SQLite over the
// system's own ("The SQLite OS Interface or VFS"). All state is one for the process, so one test at
// a time uses it.

/// What is done to a file.
enum {
    COUNTERFOIL_WRITE = 1,
    COUNTERFOIL_SYNC = 2,
    COUNTERFOIL_TRUNCATE = 4,
    COUNTERFOIL_DELETE = 8,
    /// A write beyond the end of a file.
    COUNTERFOIL_GROW = 16,
    COUNTERFOIL_READ = 32,
};

/// How it fails.
enum {
    /// Nothing is done, and the failure is told.
    COUNTERFOIL_FAILS = 0,
    /// Half is written, and the failure is told.
    COUNTERFOIL_FALLS_SHORT = 1,
    /// Half is written, and the disk is said to be full.
    COUNTERFOIL_IS_FULL = 2,
    /// Half is written, and the process is killed.
    COUNTERFOIL_KILLS = 3,
};

/// Registers the disk, under this name, beside the system's.
const char *counterfoil_faults_register(void);

/// From now on, of the operations of some kinds so many go well, and so many after them fail.
void counterfoil_faults_arm(int kinds, int how, long well, long failing);

/// From now on all go well.
void counterfoil_faults_disarm(void);

/// How many operations of the kinds there were since it was armed.
long counterfoil_faults_seen(void);

/// How many of them failed.
long counterfoil_faults_failed(void);

/// Something that was done to a file.
struct counterfoil_deed {
    int kind;
    /// The last part of the file's name.
    char name[64];
    long offset;
    long count;
    const unsigned char *bytes;
};

/// Remembers everything that is done from now on, and forgets what was done before.
void counterfoil_deeds_begin(void);

/// How much was done.
long counterfoil_deeds_count(void);

/// What was done; its bytes are there until the next beginning.
struct counterfoil_deed counterfoil_deed_at(long index);

/// Runs SQL in a database, over a disk of this name (NULL for the system's); SQLite's result.
int counterfoil_run_sql(const char *path, const char *disk, const char *sql);

#endif
