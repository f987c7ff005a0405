// SPDX-License-Identifier: Apache-2.0
// PTX into an image: what ptxas does, and nvcc with PTX files of the user's. The text is checked whole; the image is a
// fat binary that holds it, since machine code is made only on the device.
#ifndef HEDDLE_FRONT_PTX_ASSEMBLE_H
#define HEDDLE_FRONT_PTX_ASSEMBLE_H
#include "base/diag.h"
#include "base/vec.h"
#include "front/front.h"

struct front_assembly {
    const char *name; // of the file, for messages and the image
    const char *text;
    size_t size;
    struct target target;        // sm 0: that of the text
    const struct texts *kernels; // those to keep; NULL or empty: all
    unsigned long registers;     // most of a kernel; 0: no limit
    bool debug;
    bool complete;    // names that are defined nowhere are errors
    bool warn_local;  // warn about kernels that use local memory
    bool warn_double; // and about those that use double precision
};

// Appends the image; report (may be NULL) gets what kernels need. False with messages in d, which may have warnings
// also when it is true.
bool front_assemble(const struct front_assembly *a, struct str *image, struct str *report, struct diag *d);
// Has no kernel of the text more static shared memory than a launch may have without asking, 48 KB? What ptxas refuses when it makes
// machine code, and nvlink where code is linked. Of a whole image: every text in it.
bool front_shared_check(const char *text, size_t size, struct diag *d);
bool front_shared_check_image(const struct str *image, struct diag *d);
// Messages "file:line:column: error: text" in the form that CUDA's tools have; the second writes them on stderr.
void front_messages(struct str *out, const char *tool, const char *text);
void front_print_messages(const char *tool, const char *text);

// words.c: the assembler with the words of its command line, for the tool and for libraries.
struct front_ptxas {
    struct front_assembly assembly; // target.sm 0: the words name none
    struct texts kernels;           // what assembly.kernels points to
    bool verbose, quiet, strict;    // strict: warnings are errors
};
// Reads words that libraries take; those about files and help are not known to them. Texts are the arena's. False with a message.
bool front_ptxas_read(struct front_ptxas *p, struct arena *a, const char *const *words, size_t n, struct str *message);
void front_ptxas_fini(struct front_ptxas *p);
// Assembles. said gets the messages, warnings too, in the tool's form; report what kernels need, where the words ask for it.
bool front_ptxas_run(const struct front_ptxas *p, struct str *image, struct str *report, struct str *said);
// Whether the assembler has such an option; *value: the next word belongs to it. NULL, or the reason why it is refused,
// goes to *refused.
bool front_ptxas_option(const char *word, bool *value, const char **refused);
#endif
