// SPDX-License-Identifier: Apache-2.0
// Commands and temporary files of the compiler driver. Whatever happens, a signal included, no child and no temporary
// file stays behind.
#ifndef HEDDLE_NVCC_JOB_H
#define HEDDLE_NVCC_JOB_H
#include "nvcc/option.h"
#include <stdint.h>
#include <sys/types.h>

struct job {
    struct texts argv;                 // without the final NULL
    bool capture;                      // its stderr is kept, in memory: see job_errors
    const char *output;                // file that takes its stdout; NULL: not redirected
    bool precompile;                   // it makes a precompiled header
    const char *pch;                   // the one it takes; NULL: none
    const char *phase, *source, *arch; // for the table of times; NULL: it has no row of its own, nothing
    uint64_t began;
    int errors_plus_one; // descriptor of what it wrote to stderr
    pid_t pid;           // 0: not running
    int status;          // exit status; 128 + signal
};

// dryrun: print and run nothing. verbose: print as well as run. temp_base: where the folder of temporary files goes;
// NULL: TMPDIR or /tmp.
void job_init(bool dryrun, bool verbose, const char *keep_dir, const char *temp_base);
// A table of the times of all commands is appended to the file when everything is done; "-": standard output.
void job_time_init(const char *file);
// Kills what still runs, removes the temporary files; ends the process by the signal that came, if one came.
void job_fini(void);
void job_add(struct job *j, const char *arg);
void job_add_all(struct job *j, const struct texts *args);
// What ends most commands: the output (NULL: none is named) and the input.
void job_add_files(struct job *j, const char *output, const char *input);
bool job_start(struct job *j);
// True when it ended with status 0.
bool job_wait(struct job *j);
void job_kill(struct job *j);
bool job_run(struct job *j);
void job_free(struct job *j);
bool job_finish(struct job *j); // runs it and frees it
// What a job that captures wrote to stderr, from malloc; NULL: nothing is known.
char *job_errors(const struct job *j);
// Copies it to ours. A failed job that wrote nothing, or died with a dump of its own, gets one line that tells so.
void job_print_errors(const struct job *j);
// A path in the temporary folder (or in the keep folder); the name is the arena's.
const char *job_temp(struct arena *a, const char *stem, const char *suffix);
bool job_dryrun(void);
bool job_verbose(void);
bool job_interrupted(void);
// A child that copies data into the named pipe when the reader has opened it.
bool job_feed(struct job *j, const char *pipe, const void *data, size_t size);
// Writes a file whole or not at all; to what is no plain file (/dev/stdout) it writes directly.
bool job_write_file(const char *path, const void *data, size_t size);
// Where a compiler is to write what is for the output: a temporary file if that is a link or no plain file, else the output itself.
// A compiler replaces a link (/dev/stdout, with a file behind it), and removes it when it fails. job_deliver takes it there, if
// anything was made.
const char *job_output(struct arena *a, const char *output);
bool job_deliver(const char *made, const char *output);
// Removes an output that is incomplete, if it is a plain file: never a device, a pipe or a link.
void job_remove_file(const char *path);
#endif
