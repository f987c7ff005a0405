// SPDX-License-Identifier: Apache-2.0
// The few things asked of the operating system by more than one layer.
#ifndef HEDDLE_BASE_OS_H
#define HEDDLE_BASE_OS_H
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>

// The whole file, zero-terminated, from malloc; NULL with errno set. *size may be NULL.
char *os_file_read(const char *path, size_t *size);
// Writes to a temporary file beside it and renames: readers see the old file or the new one.
bool os_file_write(const char *path, const void *data, size_t size);
// All of it to an open file, whatever interrupts.
bool os_write_all(int fd, const void *data, size_t size);
bool os_mkdirs(const char *path);
// Whether an open file or folder belongs to the user of this process and nobody else can write to it: only then is what
// was once written there to be believed. Where the process acts for another user (set-user-ID), that is the effective
// one.
bool os_is_private(int fd);
// As os_file_read, but only a regular file that is private, and no symbolic link.
char *os_file_read_private(const char *path, size_t *size);
// Whether there is a private file, or folder, of that name, and no symbolic link. For files that another program opens:
// the answer holds as long as the folder is private as well.
bool os_file_is_private(const char *path);
bool os_folder_is_private(const char *path);
// Its size and time as a text, which tell when it has changed; false: there is no such file.
bool os_file_state(const char *path, char *out, size_t size);
const char *os_temp_base(void); // TMPDIR, or /tmp
// A new folder for temporary files, base/stem-XXXXXX; false with errno set, and out is empty.
bool os_temp_dir(char *out, size_t size, const char *base, const char *stem);
void os_folder_remove(const char *path); // with the files in it; folders in it stay, and so does it then
unsigned os_cpu_count(void);             // those this process may run on
// The cache for data of this level that the first processor has; 0 where the system does not tell.
struct os_cache {
    size_t bytes;
    unsigned ways;
};
struct os_cache os_cache(unsigned level);
// Whether the machine has a core for each thread that can run now, the caller among them; true where that is not known.
bool os_cpu_idle(void);
uint64_t os_time_ns(void);                  // monotonic
uint64_t os_thread_ns(void);                // processor time of the calling thread
struct timespec os_time_after(unsigned ms); // from now on the clock that waits with an end go by
// Takes a lock that a handler of signals may ask for in the very thread that has it; false: not within this time.
bool os_lock_within(pthread_mutex_t *lock, unsigned ms);
// What a kind of thing that threads have needs when its thread ends; one static object a kind.
struct os_thread_end {
    void (*end)(void *);
    atomic_uint key; // of pthreads, + 1; 0: none yet
};
// Calls end(thing) when this thread ends; NULL: nothing any more. False: there is no place for it.
bool os_at_thread_end(struct os_thread_end *kind, void *thing);
// The folder of the shared object or program that holds the address; false when unknown.
bool os_self_dir(const void *address, char *out, size_t size);
// The shared object that holds the address stays in the process from now on; false: there is no memory for it.
bool os_library_keep(const void *address);
// The lowest address of this thread's stack; NULL: not known. How much is left of it: 0 on another stack, SIZE_MAX where it is not known.
const char *os_stack_low(void);
size_t os_stack_room(void);
// A context that calls fn on the stack at `low`, and has no other behind it.
void os_context_make(ucontext_t *c, void *low, size_t size, void (*fn)(void));
// Every page of the range is there, whoever may do what with it.
bool os_is_mapped(const void *address, size_t size);
// The zero-terminated text at an address that may not be one; false where there is none or it does not fit.
bool os_text_at(const void *address, char *out, size_t size);
// Opens a library with its names to itself. NULL: it cannot be, for a reason that is written (reason may be NULL), perhaps for want of
// memory.
void *os_library_open(const char *path, char *reason, size_t size, bool *lacks_memory);
#endif
