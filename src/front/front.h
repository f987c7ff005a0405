// SPDX-License-Identifier: Apache-2.0
// The clang front end, as the compiler driver and the run-time compiler call it: the places of the toolkit, the
// targets, and the arguments of a device pass. What is written here once holds for both, so that a kernel gets the same
// code whoever compiles it.
#ifndef HEDDLE_FRONT_FRONT_H
#define HEDDLE_FRONT_FRONT_H
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/version.h"
#include <stdbool.h>

struct toolkit {
    struct arena *arena;
    const char *root;       // of the toolkit's tree
    const char *include;    // root/include
    const char *lib;        // root/lib64
    const char *link;       // root/lib64/link: the same libraries, as build systems are told of them (main.c of nvcc)
    const char *clangxx;    // the CUDA front end
    unsigned clang_version; // its major version
    const char *devmath;    // bitcode of the device math library; NULL: absent
    const char *devrt;      // folder of the device runtime for GPUs; NULL: none is added
};

// Finds the compiler and the device math library for the tree at root. False: no compiler, and message says so.
bool toolkit_init(struct toolkit *t, struct arena *a, const char *root, const char *devmath_dir, struct str *message);

// Where the program is, by its path or along PATH, as a text of the arena; NULL: nowhere.
const char *toolkit_program(struct arena *a, const char *name);

struct target {
    unsigned sm;    // 75
    char suffix[2]; // "", "a" or "f"
};

// "sm_80", "compute_90a", "lto_80": the number and the letter behind it; false when there is no such target.
bool target_parse(struct target *out, const char *text);
// The least PTX version that knows the target, as clang's feature: "ptx85".
const char *target_ptx_feature(const struct target *t);
// The numbers of all targets, rising.
size_t target_list(const unsigned **list);

// What both passes of a source are told of the language, and the device pass of its code.
struct front_options {
    const char *std;  // "gnu++17"
    const char *unit; // makes the names of internal variables unique
    // ewp: relocatable as with rdc, under the macro of that mode
    bool rdc, ewp, extended_lambda, relaxed_constexpr, per_thread_stream;
    bool device_debug, dopt, lineinfo; // dopt: optimise also with device_debug
    bool fast_math, ftz, prec_div, prec_sqrt, fmad;
    unsigned level; // of optimisation of device code: 1 to 3; 0: the usual one
};

// Each appends arguments to a command; texts that are made are the arena's.
// The compiler, the language, and what the preprocessor sees of the toolkit's version.
void front_add_cuda(struct texts *argv, const struct toolkit *t, const struct front_options *o);
void front_add_versions(struct texts *argv, const struct toolkit *t);
// What `NAME --version` prints. Build systems know a program by the first line, "NAME: ... Cuda KIND", and its version by the
// fourth, as NVIDIA's prints them.
void front_print_version(const char *name, const char *kind);
// Folders of headers, each with the word ("-I"). That of another CUDA toolkit, as makefiles name it, is searched last:
// only our headers fit this compiler.
void front_add_folders(struct texts *argv, const struct toolkit *t, const struct texts *folders, const char *word);
// The toolkit's own headers.
void front_add_headers(struct texts *argv, const struct toolkit *t);
// What stands after the preprocessor's arguments: modes of the language, warnings.
void front_add_modes(struct texts *argv, const struct front_options *o);
// The device pass for one target, up to the math library and the level of optimisation. An output to PTX is meant; the
// caller names the files.
void front_add_device(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                      const struct target *target);
// Two words, as clang's driver takes an option for its front end.
void front_add_inner(struct texts *argv, const char *arg);

// What clang writes, mended: static variables under -rdc=true have one name, and __managed__ variables, which come with an
// alignment of their own (host_defines.h), say so in PTX's words; kernels that others launch are declared before; pure virtual functions, which end a kernel, have a body. The text,
// from malloc.
char *front_ptx_mend(const char *ptx, size_t *size);
// Stores of a part of a floating-point value, in the form that ptxas gets right (stores.c). A part of front_ptx_mend.
void front_stores_mend(const char *ptx, struct str *out);
// Variables of a module that nothing is linked to are not .visible, as NVRTC writes them: programs read the text. From
// malloc.
char *front_ptx_close_variables(const char *ptx, size_t *size);
// -maxrregcount: the text with .maxnreg for every kernel that does not say it itself, from malloc.
char *front_ptx_limit_registers(const char *ptx, unsigned long count, size_t *size);

// The text without the kernels whose names are not listed, from malloc.
char *front_ptx_select(const char *ptx, const struct texts *kernels, size_t *size);
// The text with the source line before each .loc, as a comment, from malloc.
char *front_ptx_interleave(const char *ptx, size_t *size);

// __cluster_dims__ (cluster.c). Where the PTX of a device pass has annotations, the pass is run once more with these
// arguments added; front_ptx_clusters then gives the PTX with the sizes in it, from malloc.
bool front_ptx_has_annotations(const char *ptx);
void front_add_annotations(struct texts *argv);
char *front_ptx_clusters(const char *ptx, const char *ir, size_t *size);

// Static variables that the host may write (statics.c). The first reads the names of such variables from a text; the
// second from the files of a makefile rule, and tells whether one of them has code for one side alone, and whether one
// speaks of managed variables. Where there are
// names, the device pass is run once more with the arguments of front_add_annotations; front_ir_open_statics gives the
// module in which they may change, from malloc, NULL: there are none; front_add_module the command that makes PTX of it.
void front_statics_find(struct texts *names, struct arena *a, const char *text);
struct front_sources {
    bool sides, managed;
};
struct front_sources front_statics_read(struct texts *names, const struct toolkit *t, const char *rule);
char *front_ir_open_statics(const char *ir, const struct texts *names, size_t *size);
void front_add_module(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                      const struct target *target);
// The PTX of it in which only this unit knows them, from malloc. unit (NULL: nothing is linked to it): they get the names
// by which clang's host pass of that unit registers them.
char *front_ptx_close_statics(const char *ptx, const struct texts *names, const char *unit, size_t *size);
// The text in which those outside namespaces have their plain names, from malloc.
char *front_ptx_plain_statics(const char *ptx, const struct texts *names, size_t *size);

// Carries between asm statements (carry.c): whether the PTX of a device pass has them, and the module in which such statements
// keep their order, from malloc, NULL: it has none.
bool front_ptx_has_carries(const char *ptx);
char *front_ir_order_carries(const char *ir, size_t *size);

// Both changes (module.c), from malloc; NULL: there is nothing to change.
char *front_ir_change(const char *ir, const struct texts *names, size_t *size);

// Managed variables in host code (managed.c): the module of a host pass, as the front end alone makes it, in which they
// are reached through pointers; from malloc, NULL: it has none. unsure gets the names of variables whose initialisers name
// them in a way that is not understood.
char *front_ir_managed(const char *ir, size_t *size, struct str *unsure);

// usage.c: what the kernels of a PTX text need, in the words of -Xptxas -v.
void front_usage(struct str *out, const char *ptx, size_t size, const struct target *t);
// Whether options for the assembler ask for it.
bool front_usage_wanted(const struct texts *ptxas_options);

// What libnvvm -gen-lto gives is PTX behind this line, and libnvJitLink -lto takes it: the JIT inlines over all that is linked, so that nothing is
// lost by compiling each module before the link.
#define FRONT_LTO_LINE "// link-time code, Heddle\n"
#endif
