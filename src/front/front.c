// SPDX-License-Identifier: Apache-2.0
// The arguments of clang: see front.h.
#include "front/front.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void add(struct texts *argv, const char *arg)
{
    vec_push(argv, arg);
}

void front_add_inner(struct texts *argv, const char *arg)
{
    add(argv, "-Xclang");
    add(argv, arg);
}

void front_add_cuda(struct texts *argv, const struct toolkit *t, const struct front_options *o)
{
    add(argv, t->clangxx);
    add(argv, "-x");
    add(argv, "cuda");
    add(argv, "--cuda-path=/nonexistent"); // or clang takes any toolkit that it finds
    add(argv, "-nocudainc");
    add(argv, "-nocudalib");
    if (t->clang_version >= 20)
        add(argv, "--no-offload-new-driver");
    if (t->clang_version < 22) // which does where none is called
        front_add_inner(argv, "-fcuda-allow-variadic-functions");
    front_add_inner(argv, "-target-sdk-version=12.5");
    add(argv, "-fuse-cuid=none"); // the one that is named counts
    front_add_inner(argv, arena_printf(t->arena, "-cuid=%s", o->unit));
    add(argv, arena_printf(t->arena, "-std=%s", o->std));
    add(argv, "-D__CUDACC__=1");
}

void front_add_versions(struct texts *argv, const struct toolkit *t)
{
    add(argv, arena_printf(t->arena, "-D__CUDACC_VER_MAJOR__=%d", TOOLKIT_MAJOR));
    add(argv, arena_printf(t->arena, "-D__CUDACC_VER_MINOR__=%d", TOOLKIT_MINOR));
    add(argv, arena_printf(t->arena, "-D__CUDACC_VER_BUILD__=%d", TOOLKIT_BUILD));
    add(argv, arena_printf(t->arena, "-D__CUDA_API_VER_MAJOR__=%d", TOOLKIT_MAJOR));
    add(argv, arena_printf(t->arena, "-D__CUDA_API_VER_MINOR__=%d", TOOLKIT_MINOR));
}

void front_print_version(const char *name, const char *kind)
{
    printf("%s: NVIDIA (R) Cuda %s\n"
           "(the line above is for build systems; this is Heddle's %s, not NVIDIA's)\n"
           "Device code is PTX, for CPUs and GPUs\n"
           "Cuda compilation tools, release %d.%d, V%d.%d.%d\n"
           "Build heddle " HEDDLE_VERSION "\n",
           name, kind, kind, TOOLKIT_MAJOR, TOOLKIT_MINOR, TOOLKIT_MAJOR, TOOLKIT_MINOR, TOOLKIT_BUILD);
}

void front_add_folders(struct texts *argv, const struct toolkit *t, const struct texts *folders, const char *word)
{
    for (size_t i = 0; i < folders->len; i++) {
        bool toolkit = !access(arena_printf(t->arena, "%s/cuda_runtime.h", folders->data[i]), R_OK);
        add(argv, toolkit ? "-idirafter" : word);
        add(argv, folders->data[i]);
    }
}

void front_add_headers(struct texts *argv, const struct toolkit *t)
{
    // Where a toolkit has its C++ libraries: they have a <cuda/std/...> of their own, which takes the place of ours
    // whole.
    const char *libraries = arena_printf(t->arena, "%s/cccl", t->include);
    if (!access(libraries, R_OK)) {
        add(argv, "-isystem");
        add(argv, libraries);
    }
    add(argv, "-isystem");
    add(argv, arena_printf(t->arena, "%s/heddle/assert", t->include));
    add(argv, "-isystem");
    add(argv, t->include);
}

void front_add_modes(struct texts *argv, const struct front_options *o)
{
    if (o->extended_lambda)
        add(argv, "-D__CUDACC_EXTENDED_LAMBDA__=1");
    if (o->relaxed_constexpr)
        add(argv, "-D__CUDACC_RELAXED_CONSTEXPR__=1");
    if (o->rdc) {
        add(argv, "-fgpu-rdc");
        add(argv, o->ewp ? "-D__CUDACC_EWP__=1" : "-D__CUDACC_RDC__=1");
    }
    if (o->device_debug && !o->dopt)
        add(argv, "-D__CUDACC_DEBUG__=1");
    if (o->per_thread_stream) {
        front_add_inner(argv, "-fgpu-default-stream=per-thread");
        add(argv, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    }
    if (o->fast_math)
        add(argv, "-D__USE_FAST_MATH__=1");
    add(argv, "-Wno-unknown-cuda-version");
    add(argv, "-Wno-pass-failed"); // an unroll pragma that cannot be followed
    add(argv, "-Wno-cuda-compat"); // '#pragma unroll (n)', which CUDA takes
    // Warnings for the compilers that programs were written with.
    add(argv, "-Wno-error=c++11-narrowing");
    add(argv, "-Wno-error=register");
    add(argv, "-Wno-error=missing-template-arg-list-after-template-kw");
    add(argv, "-Wno-error=reserved-user-defined-literal");
    add(argv, "-Wno-deprecated-attributes"); // __host__ __device__ before a deduction guide
    add(argv, "-Wno-invalid-constexpr");     // of mathematics, which g++ evaluates
}

// What LLVM is told, whether it gets a source or a module.
static void add_code(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                     const struct target *target)
{
    add(argv, "-S");
    add(argv, arena_printf(t->arena, "--cuda-feature=+%s", target_ptx_feature(target)));
    if (!o->prec_div) {
        add(argv, "-mllvm");
        add(argv, "-nvptx-prec-divf32=0");
    }
    if (!o->prec_sqrt) {
        add(argv, "-mllvm");
        add(argv, "-nvptx-prec-sqrtf32=0");
    }
    add(argv, "-mllvm"); // there is no library to call: conversions between floats and 128-bit integers are written out
    add(argv, "-expand-fp-convert-bits=64");
    if (t->clang_version < 22) { // it makes one access of those to shared and to global memory in two branches
        add(argv, "-mllvm");
        add(argv, "-sink-common-insts=false");
    }
    add(argv, o->fmad ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (o->device_debug && !o->dopt)
        add(argv, "-O0");
    else
        add(argv, arena_printf(t->arena, "-O%u", o->level ? o->level : 3));
}

// The front end has no targets of families.
static const char *target_suffix(const struct target *t)
{
    return t->suffix[0] == 'f' ? "" : t->suffix;
}

void front_add_module(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                      const struct target *target)
{
    add(argv, t->clangxx);
    add(argv, "--target=nvptx64-nvidia-cuda");
    add(argv, "-nogpulib");
    add(argv, arena_printf(t->arena, "-march=sm_%u%s", target->sm, target_suffix(target)));
    add_code(argv, t, o, target);
    add(argv, "-x");
    add(argv, "ir");
}

void front_add_device(struct texts *argv, const struct toolkit *t, const struct front_options *o,
                      const struct target *target)
{
    add(argv, "--cuda-device-only");
    add(argv, arena_printf(t->arena, "--cuda-gpu-arch=sm_%u%s", target->sm, target_suffix(target)));
    add(argv, "-DCUDA_DOUBLE_MATH_FUNCTIONS=1");
    if (target->suffix[0] == 'a')
        add(argv, arena_printf(t->arena, "-D__CUDA_ARCH_SPECIFIC__=%u", target->sm * 10));
    if (target->suffix[0])
        add(argv, arena_printf(t->arena, "-D__CUDA_ARCH_FAMILY_SPECIFIC__=%u", target->sm * 10));
    if (CHAR_MIN == 0)
        add(argv, "-funsigned-char"); // plain char has the host's sign on both sides
    add(argv, "-fno-builtin-malloc"); // it can fail on a device: tests of its result must stay
    // Ends of lifetimes make a `break` out of a scope a flag that is tested twice, and LLVM threads no jumps where
    // threads may diverge: a loop that breaks takes 1.1 of its time on a GPU.
    front_add_inner(argv, "-disable-lifetime-markers");
    if (o->ftz)
        add(argv, "-fgpu-flush-denormals-to-zero");
    if (o->fast_math)
        add(argv, "-fgpu-approx-transcendentals");
    add_code(argv, t, o, target);
    if (t->devmath) {
        // Descriptions of the target's data differ from clang to clang, in types that the library does not have.
        if (t->clang_version != HEDDLE_CLANG_OLDEST)
            add(argv, "-Wno-linker-warnings");
        front_add_inner(argv, "-mlink-builtin-bitcode");
        front_add_inner(argv, t->devmath);
    }
    if (o->device_debug && !o->dopt)
        add(argv, "-g");
    else if (o->lineinfo || o->device_debug)
        add(argv, "-gline-directives-only");
}
