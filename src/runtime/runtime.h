// SPDX-License-Identifier: Apache-2.0
// What the files of libcudart share: state of the process and of each host thread, results, the table of kernels.
#ifndef HEDDLE_RUNTIME_RUNTIME_H
#define HEDDLE_RUNTIME_RUNTIME_H
#include "runtime/told.h"
#include "runtime/context/driver.h"
#include <cuda_d3d9_interop.h>
#include <cuda_runtime_api.h>
#include <heddle/emulation/emulation_api.h>
#include <heddle/runtime/gl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// Every function of the interface is declared again from its row, to be exported; and what no header has.
#define RT_API                              extern __attribute__((visibility("default")))
#define RT(ret, name, params, args, status) RT_API ret name params;
#define RT_PTSZ(name, params, args)         RT_API cudaError_t name##_ptsz params;
#define RT_PTDS(name, params, args, call)   RT_API cudaError_t name##_ptds params;
#define RT_OLD(ret, name, params)           RT_API ret name params;
#define RT_HOOK(ret, name, params)          RT_API ret name params;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "runtime/api.def"
#pragma GCC diagnostic pop

// --- results ---

// Remembers e as this thread's last error (unless it is success or "not ready") and returns it.
cudaError_t rt_fail(cudaError_t e);
// The same for a result of the driver.
cudaError_t rt_fail_driver(CUresult r);
static inline cudaError_t rt_result(CUresult r)
{
    return __builtin_expect(r == CUDA_SUCCESS, 1) ? cudaSuccess : rt_fail_driver(r);
}
// Forgets the errors of a context that is gone.
void rt_errors_reset(void);

// --- process and thread ---

struct rt_thread {
    int device;          // what cudaSetDevice chose
    unsigned generation; // of the contexts that this thread last bound
};
extern _Thread_local struct rt_thread rt_thread;

struct rt_process {
    _Atomic bool ready;          // the driver is there and initialised
    _Atomic unsigned generation; // grows when a device is reset
    int devices;
    // Loads all modules that are registered (CUDA_MODULE_LOADING=EAGER asks for it once there is a context); NULL: there are none.
    void (*_Atomic modules_load)(void);
};
extern struct rt_process rt_process;

// Finds and initialises the driver, without making a context. Records the error.
cudaError_t rt_init(void);
// rt_init, and a context is current: the caller's own, else the primary one of this thread's device.
cudaError_t rt_enter_slow(void);
static inline cudaError_t rt_enter(void)
{
    CUcontext c = NULL;
    if (__builtin_expect(atomic_load_explicit(&rt_process.ready, memory_order_acquire), 1) &&
        !drv.cuCtxGetCurrent(&c) && c &&
        rt_thread.generation == atomic_load_explicit(&rt_process.generation, memory_order_relaxed))
        return cudaSuccess;
    return rt_enter_slow();
}
// Exit handlers run in the order opposite to that in which they were asked for. From this call on, those that were asked for
// before it find rt_exiting() true when the process ends. False: there is no memory for it.
bool rt_exit_watch(void);
// The process ends: the driver may be gone, and other threads may still be at work. Touch nothing any more.
bool rt_exiting(void);
// For fork.c. No device is bound or reset meanwhile; false: one is all the time. In the child of such a fork the lock is as new, and what
// was not initialised stays so: calls fail.
bool rt_devices_lock(unsigned ms);
void rt_devices_unlock(void);
void rt_devices_lock_renew(void);
// The device of the current context; rt_enter must have succeeded.
int rt_device(void);
// rt_init, and whether device is one of ours; cudaErrorInvalidDevice else.
cudaError_t rt_device_check(int device);

// --- kernels and symbols ---

// The handle of the kernel that a host function (or a cudaKernel_t) stands for; loads its module at first use.
// rt_enter must have succeeded.
cudaError_t rt_kernel(const void *func, CUkernel *out);
// The name it was registered under; NULL: unknown here.
const char *rt_kernel_name(const void *func);
// The host function that stands for the kernel; NULL: none does.
const void *rt_kernel_host(CUkernel handle);
// From now on the handle itself is accepted where a host function is, until its library is unloaded.
cudaError_t rt_kernel_adopt(CUkernel handle);
CUresult rt_library_unload(CUlibrary library);
// Where a __device__ or __constant__ variable lies in the current context. Symbols and kernels may be named by a text.
cudaError_t rt_symbol(const void *symbol, CUdeviceptr *address, size_t *size);
// The address of count bytes at an offset in such a variable.
cudaError_t rt_symbol_range(const void *symbol, size_t count, size_t offset, void **out);
// A texture or surface reference of the program.
enum rt_reference_kind { RT_TEXTURE = 1, RT_SURFACE };
struct variable;
struct rt_reference {
    const struct variable *variable;
    enum rt_reference_kind kind; // 0: a plain variable
    bool normalized;             // integers are read as floats
    bool bound;
    size_t offset; // of linear memory: from where it is bound to where the program's data begins
};
struct rt_reference *rt_reference(const void *symbol, enum rt_reference_kind kind); // NULL: there is none
cudaError_t rt_reference_module(const struct rt_reference *r, CUmodule *out);
const char *rt_reference_name(const struct rt_reference *r);
const void *rt_reference_host(const struct rt_reference *r);
// Nothing is registered meanwhile; false: something is all the time.
bool rt_modules_lock(unsigned ms);
void rt_modules_unlock(void);
// In a child, instead: no other thread is left that loads a module. Not held: the list stays as it is.
void rt_modules_renew(bool held);

// The driver's form of a launch configuration; it points to the same attributes.
CUlaunchConfig rt_launch_config(const cudaLaunchConfig_t *c);

// --- copies and arrays ---

// Whether an operation waits for its end, and else in which stream it is.
struct rt_place {
    bool async;
    cudaStream_t stream;
};

// The driver's form of a box. Widths and x positions are in bytes there; here they are in elements of the array, where
// one takes part. rt_enter must have succeeded.
cudaError_t rt_box_convert(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c);
// The other way.
cudaError_t rt_box_revert(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p);
// Bytes of one element of an array; 0 with the error recorded in *e.
size_t rt_array_element(cudaArray_const_t array, cudaError_t *e);

// Stream 0 in the functions for programs with one default stream for each thread.
#define PT(stream) ((stream) ? (stream) : cudaStreamPerThread)
#endif
