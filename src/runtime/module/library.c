// SPDX-License-Identifier: Apache-2.0
// Libraries of code loaded at run time, and the driver interface by name. Options have the driver's numbers.
#include "runtime/runtime.h"

// A program may use a kernel of a library wherever it can use a kernel of its own.
static cudaError_t kernel_hand_out(cudaError_t e, CUkernel k, cudaKernel_t *out)
{
    e = e ? e : rt_kernel_adopt(k);
    if (!e)
        *out = (cudaKernel_t)k;
    return e;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions,
                                void **jitOptionsValues, unsigned int numJitOptions,
                                enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                unsigned int numLibraryOptions)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuLibraryLoadData((CUlibrary *)library, code, (CUjit_option *)jitOptions, jitOptionsValues,
                                               numJitOptions, (CUlibraryOption *)libraryOptions, libraryOptionValues,
                                               numLibraryOptions));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName, enum cudaJitOption *jitOptions,
                                    void **jitOptionsValues, unsigned int numJitOptions,
                                    enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                    unsigned int numLibraryOptions)
{
    cudaError_t e = rt_enter();
    return e ? e
             : rt_result(drv.cuLibraryLoadFromFile((CUlibrary *)library, fileName, (CUjit_option *)jitOptions,
                                                   jitOptionsValues, numJitOptions, (CUlibraryOption *)libraryOptions,
                                                   libraryOptionValues, numLibraryOptions));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(rt_library_unload((CUlibrary)library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name)
{
    CUkernel k = NULL;
    if (!pKernel)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuLibraryGetKernel(&k, (CUlibrary)library, name));
    return kernel_hand_out(e, k, pKernel);
}

cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuLibraryGetGlobal((CUdeviceptr *)dptr, bytes, (CUlibrary)library, name));
}

cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuLibraryGetManaged((CUdeviceptr *)dptr, bytes, (CUlibrary)library, name));
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib)
{
    cudaError_t e = rt_enter();
    return e ? e : rt_result(drv.cuLibraryGetKernelCount(count, (CUlibrary)lib));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int numKernels, cudaLibrary_t lib)
{
    cudaError_t e = rt_enter();
    if (!e)
        e = rt_result(drv.cuLibraryEnumerateKernels((CUkernel *)kernels, numKernels, (CUlibrary)lib));
    for (unsigned i = 0; !e && i < numKernels; i++)
        if (kernels[i])
            e = rt_kernel_adopt((CUkernel)kernels[i]);
    return e;
}

static cudaError_t entry_find(const char *symbol, void **funcPtr, unsigned version, unsigned long long flags,
                              enum cudaDriverEntryPointQueryResult *driverStatus)
{
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (!symbol || !funcPtr)
        return rt_fail(cudaErrorInvalidValue);
    cudaError_t e = rt_init();
    if (e)
        return e;
    *funcPtr = NULL;
    CUresult r = drv.cuGetProcAddress(symbol, funcPtr, (int)version, flags, &status);
    if (driverStatus) {
        // With a place for the answer, a name that is not there is an answer and no error.
        *driverStatus = (enum cudaDriverEntryPointQueryResult)status;
        if (r == CUDA_ERROR_NOT_FOUND)
            return cudaSuccess;
    }
    return rt_result(r);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return entry_find(symbol, funcPtr, cudaVersion, flags, driverStatus);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **funcPtr, unsigned int cudaVersion,
                                                  unsigned long long flags,
                                                  enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return entry_find(symbol, funcPtr, cudaVersion, flags ? flags : cudaEnablePerThreadDefaultStream, driverStatus);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return entry_find(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **funcPtr, unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult *driverStatus)
{
    return entry_find(symbol, funcPtr, CUDART_VERSION, flags ? flags : cudaEnablePerThreadDefaultStream, driverStatus);
}
