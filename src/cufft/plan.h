// SPDX-License-Identifier: Apache-2.0
// Plans of cuFFT: handles, what they are made of, and what is set in them.
#ifndef HEDDLE_CUFFT_PLAN_H
#define HEDDLE_CUFFT_PLAN_H
#include "cufft/engine/fft.h"
#include "library/library.h"
#include <cufftXt.h>

// What a call wants planned. `refused`: arguments that are wrong whatever the plan; `unfit`: sizes, which are looked at when the plan
// has been found.
struct spec {
    cufftResult refused, unfit;
    struct fft_desc d;
};

struct spec spec_sizes(cufftType type, long long batch, int rank, long long nx, long long ny, long long nz);
struct spec spec_many(int rank, const int *n, const int *inembed, int istride, int idist, const int *onembed,
                      int ostride, int odist, cufftType type, int batch);
struct spec spec_many64(int rank, const long long *n, const long long *inembed, long long istride, long long idist,
                        const long long *onembed, long long ostride, long long odist, cufftType type, long long batch);
struct spec spec_xt(int rank, const long long *n, const long long *inembed, long long istride, long long idist,
                    cudaDataType in, const long long *onembed, long long ostride, long long odist, cudaDataType out,
                    long long batch, cudaDataType execution);

enum { PLAN_PROPERTIES = 2 };

// Tables, which work under way and nodes of graphs keep alive.
struct plan_state {
    struct native_state native;
    struct fft_plan *fft;
};

struct plan {
    int id;
    struct plan_state *state; // NULL: not made yet
    enum fft_kind kind;
    enum fft_scalar scalar;
    cudaStream_t stream;
    int device;
    bool automatic; // the work area is ours to allocate
    void *work, *own;
    size_t work_bytes;
    long long property[PLAN_PROPERTIES];
};

// NULL: there is no such plan, or no more.
struct plan *transform_find(cufftHandle handle);
cufftResult transform_create(cufftHandle *handle);
cufftResult transform_new(cufftHandle *handle, struct spec s);
cufftResult transform_make(cufftHandle handle, struct spec s, size_t *bytes);
cufftResult transform_destroy(cufftHandle handle);
cufftResult transform_estimate(struct spec s, size_t *bytes);
cufftResult transform_size_of(cufftHandle handle, struct spec s, size_t *bytes);
cufftResult transform_size(cufftHandle handle, size_t *bytes);
cufftResult transform_set_work(cufftHandle handle, void *work);
cufftResult transform_set_auto(cufftHandle handle, int automatic);
cufftResult transform_set_stream(cufftHandle handle, cudaStream_t stream);
cufftResult transform_set_property(cufftHandle handle, cufftProperty property, long long value);
cufftResult transform_get_property(cufftHandle handle, cufftProperty property, long long *value);
cufftResult transform_reset_property(cufftHandle handle, cufftProperty property);

cufftResult exec_typed(cufftHandle handle, cufftType type, void *in, void *out, int direction);
cufftResult exec_any(cufftHandle handle, void *in, void *out, int direction);

cufftResult helper_version(int *version);
cufftResult helper_property(libraryPropertyType type, int *value);
cufftResult xt_work_policy(cufftHandle handle, cufftXtWorkAreaPolicy policy, size_t *bytes);
cufftResult xt_set_work(cufftHandle handle, void **work);
cufftResult xt_free(cudaLibXtDesc *descriptor);
cufftResult xt_set_gpus(cufftHandle handle, int count, const int *gpus);
cufftResult xt_refuse(cufftHandle handle);

// The types of cufftType.
bool type_known(cufftType type, enum fft_kind *kind, enum fft_scalar *scalar);
#endif
