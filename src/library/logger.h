// SPDX-License-Identifier: Apache-2.0
// The logger of libraries whose interface has levels (cuSPARSE, cuSOLVER). False: a value that there is not.
#ifndef HEDDLE_LIBRARY_LOGGER_H
#define HEDDLE_LIBRARY_LOGGER_H
#include <stdbool.h>
#include <stdio.h>

typedef void library_logger_fn(int level, const char *function, const char *message);
bool library_logger_callback(library_logger_fn *f);
bool library_logger_file(FILE *f);
bool library_logger_open(const char *name);
bool library_logger_level(int level);
bool library_logger_mask(int mask);
bool library_logger_disable(void);

// The six functions of a library's interface. prefix: of its bodies; callback: its type of pointer to a function. The first four are the
// same in all; NULL for a file's name and unknown bits of a mask are wrong values in some.
#define LIBRARY_LOGGER_BASE(status, good, bad, prefix, callback)                                                       \
    status prefix##SetCallback(callback f)                                                                             \
    {                                                                                                                  \
        return library_logger_callback(f) ? good : bad;                                                                \
    }                                                                                                                  \
    status prefix##SetFile(FILE *file)                                                                                 \
    {                                                                                                                  \
        return library_logger_file(file) ? good : bad;                                                                 \
    }                                                                                                                  \
    status prefix##SetLevel(int level)                                                                                 \
    {                                                                                                                  \
        return library_logger_level(level) ? good : bad;                                                               \
    }                                                                                                                  \
    status prefix##ForceDisable(void)                                                                                  \
    {                                                                                                                  \
        return library_logger_disable() ? good : bad;                                                                  \
    }
#define LIBRARY_LOGGER(status, good, bad, prefix, callback)                                                            \
    LIBRARY_LOGGER_BASE(status, good, bad, prefix, callback)                                                           \
    status prefix##OpenFile(const char *name)                                                                          \
    {                                                                                                                  \
        return library_logger_open(name) ? good : bad;                                                                 \
    }                                                                                                                  \
    status prefix##SetMask(int mask)                                                                                   \
    {                                                                                                                  \
        return library_logger_mask(mask) ? good : bad;                                                                 \
    }
#endif
