// SPDX-License-Identifier: Apache-2.0
// The state of one run of the compiler driver, and its stages.
#ifndef HEDDLE_NVCC_DRIVER_H
#define HEDDLE_NVCC_DRIVER_H
#include "front/front.h"
#include "nvcc/job.h"
#include "nvcc/option.h"
#include "nvcc/target.h"
#include "base/str.h"

// Where the files that the user named end.
enum phase {
    PHASE_LINK,
    PHASE_OBJECT,
    PHASE_TEXT,
    PHASE_PTX,
    PHASE_CUBIN,
    PHASE_FATBIN,
    PHASE_PREPROCESS,
    PHASE_DEPS,
    PHASE_DLINK,
    PHASE_LIB
};

struct mended_file {
    const char *path;
    char *text; // from malloc
    bool changed;
};

struct driver {
    struct arena arena;
    struct options options;
    struct targets targets;
    enum phase phase;
    struct toolkit toolkit;
    const char *host_cc; // compiler of plain host sources and linker: -ccbin, NVCC_CCBIN or clangxx
    bool host_cc_given;
    const char *host_library_dir; // of host_cc, once asked for; "": not known
    bool rdc;
    struct {
        bool wanted, over_gcc; // over_gcc: there is no library for clang
        const char *library;   // libomp.so
        const char *folder;    // of omp.h, where clang does not find it by itself
    } openmp;
    const char *rule;                   // file that takes the makefile rule of the source at hand; NULL: none
    bool managed;                       // the source at hand speaks of managed variables
    bool no_precompiling;               // a precompiled header did not fit
    const char *host_pch, **device_pch; // of the passes over the source at hand, by target; NULL: none
    struct dialect {
        const char *source; // whose facts these are
        bool own_warp_size;
        const char *overlay; // file that describes the changed source; NULL: it is read as it is
        const char *copy;    // the changed source
    } dialect;
    struct {
        const char *source; // that is compiled; NULL: nothing is mended
        unsigned round;     // how often it was compiled once more
        bool again;         // something was found to mend
        struct VEC(struct mended_file) files;
        struct texts arguments; // of both passes
        const char *overlay;    // file that describes the changed files
        const char *first;      // what was said of the source as it is
        const char *unused;     // what is wrong with a template, if it is never used; NULL: nothing
    } mend;
};

// Finds the toolkit tree and the compiler, reads the targets. False with a message.
bool driver_init(struct driver *d, int argc, char **argv);
void driver_fini(struct driver *d);
// The file name without folder and extension.
const char *driver_stem(struct driver *d, const char *path);
// The name that -o gives, "./-" for "-"; NULL: none. PTX and preprocessed text alone go to standard output by "-".
const char *driver_output(struct driver *d);
bool driver_source_is_cuda(const struct driver *d, const char *path);
bool driver_source_is_host(const struct driver *d, const char *path);
bool driver_has_suffix(const char *path, const char *suffix);

// compile.c: one CUDA or host source to the file of the phase (PHASE_LINK, PHASE_LIB: an object).
bool compile_source(struct driver *d, const char *source, const char *output);
// Stages of a source used elsewhere: the PTX of each target, and a fat binary of it.
bool compile_to_fatbin(struct driver *d, const char *source, struct str *out);

// emulate.c: a CUDA source as plain host code (-deviceemu).
bool emulate_source(struct driver *d, const char *source, const char *output);

// arguments.c: what passes are told. Each adds arguments to a command.
void arguments_add_preprocessor(struct driver *d, struct job *j); // every pass
void arguments_add_warnings(struct driver *d, struct job *j);
void arguments_add_includes(struct driver *d, struct job *j);
void arguments_add_arch_list(struct driver *d, struct job *j);
void arguments_add_cuda(struct driver *d, struct job *j, const char *source); // both passes of a CUDA source
void arguments_add_device(struct driver *d, struct job *j, const char *source, const struct target *t);
void arguments_add_host(struct driver *d, struct job *j);
// Of a host pass: where a libcudart that is linked in finds the driver.
void arguments_add_place(struct driver *d, struct job *j);
// The makefile rule that -M and its family ask for, and the file that is asked for; NULL: standard output, or none.
const char *arguments_dependency_file(struct driver *d, const char *source);
// Whether a macro ("NAME=1") may change what the system's headers or CUDA's mean.
bool arguments_is_reserved(const char *macro);
void arguments_add_dependencies(struct driver *d, struct job *j, const char *source);
struct front_options arguments_front_options(struct driver *d, const char *source);

// precompile.c: finds or makes the precompiled headers of the passes; host: of the host pass too.
void precompile(struct driver *d, const char *source, bool host);
// Whether the pass failed because its precompiled header does not fit; none is used from then on.
bool precompile_failed(struct driver *d, const struct job *j);
void precompile_mend_rule(struct driver *d, const char *path);
const char *precompile_prelude(struct driver *d);

// dialect.c: the options that let clang read what this source says in CUDA's own way.
void dialect_add(struct driver *d, struct job *j, const char *source);
// The text as dialect.c would put it, from malloc; NULL: it stays as it is.
char *dialect_mend(struct driver *d, const char *given);
// What clang lets pass and CUDA forbids, as the PTX shows it. False with a message.
bool dialect_check_ptx(const char *source, const char *ptx);

// mend.c: what a failed pass shows how to mend. mend_found: the pass that failed named something; mend_again: whether
// the source is worth compiling once more. mend_add: what such a pass is told.
void mend_begin(struct driver *d, const char *source);
void mend_add(struct driver *d, struct job *j);
bool mend_found(struct driver *d, const struct job *j);
bool mend_again(struct driver *d);
// The messages of a pass; of one that failed once more with more errors than at first, the first ones.
void mend_print(const struct driver *d, const struct job *j);

// hint.c: behind messages of a compiler or linker, what they mean here: something that is not there, or was not named.
void hint_print(const char *messages);
void mend_warn(const struct driver *d); // of what was left aside
void mend_end(struct driver *d);

// outline.c: the outermost function whose body holds this place of a C++ text: where its declaration and its body begin.
bool outline_function(const char *text, size_t place, size_t *head, size_t *brace);
// Where the brackets at this place close; 0: they do not.
size_t outline_body_end(const char *text, size_t brace);

// launch.c: -Wdefault-stream-launch and -Wmissing-launch-bounds. False: one of them is an error, or the source has
// others.
bool launch_check(struct driver *d, const char *source);

// openmp.c: -Xcompiler -fopenmp. What each pass is told, and the host's compiler or linker with all of -Xcompiler.
void openmp_find(struct driver *d);
const char *openmp_header(struct driver *d); // the folder of gcc's omp.h; NULL: there is none
const char *openmp_before(struct driver *d); // the folder of ours that comes before that one
void openmp_add_preprocessor(struct driver *d, struct job *j);
void openmp_add_device(struct driver *d, struct job *j);
void openmp_add_host(struct driver *d, struct job *j, bool link);

// link.c
bool link_program(struct driver *d, const struct texts *inputs, const char *output);
bool link_library(struct driver *d, const struct texts *objects, const char *output);

// rdc.c: links the relocatable device code of all the objects and archives into one object; *output is NULL when there
// is none.
bool rdc_link(struct driver *d, const struct texts *inputs, const char *given_output, const char **output);
#endif
