#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Game of chance without any package: NVRTC and the driver API by ctypes. A kernel rolls dice, and chi squared says whether they are fair."""
import ctypes
import sys

SOURCE = rb"""
extern "C" __global__ void roll(unsigned *count, unsigned rolls, unsigned seed)
{
    __shared__ unsigned mine[6];
    if (threadIdx.x < 6)
        mine[threadIdx.x] = 0;
    __syncthreads();
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + seed;
    for (unsigned i = 0; i < rolls; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        atomicAdd(&mine[(unsigned long long)state * 6 >> 32], 1);
    }
    __syncthreads();
    if (threadIdx.x < 6)
        atomicAdd(&count[threadIdx.x], mine[threadIdx.x]);
}
"""


def library(*names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    print("skipped:", names[0], "is not found; LD_LIBRARY_PATH=SDK/lib64, or heddle run")
    sys.exit(77)


def check(status):
    if status:
        raise RuntimeError(f"CUDA error {status}")


def compile_ptx(nvrtc, source):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"dice.cu", 0, None, None))
    check(nvrtc.nvrtcCompileProgram(program, 0, None))
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    text = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, text))
    check(nvrtc.nvrtcDestroyProgram(ctypes.byref(program)))
    return text


def main():
    cuda, nvrtc = library("libcuda.so.1"), library("libnvrtc.so.13", "libnvrtc.so")
    device, context, module, kernel = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    count, rolls, seed = ctypes.c_uint64(), ctypes.c_uint(200), ctypes.c_uint(12345)
    check(cuda.cuInit(0))
    check(cuda.cuDeviceGet(ctypes.byref(device), 0))
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    check(cuda.cuCtxSetCurrent(context))
    check(cuda.cuModuleLoadData(ctypes.byref(module), compile_ptx(nvrtc, SOURCE)))
    check(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"roll"))
    check(cuda.cuMemAlloc_v2(ctypes.byref(count), ctypes.c_size_t(24)))
    check(cuda.cuMemsetD8_v2(count, 0, ctypes.c_size_t(24)))
    arguments = (ctypes.c_void_p * 3)(*(ctypes.addressof(a) for a in (count, rolls, seed)))
    check(cuda.cuLaunchKernel(kernel, 32, 1, 1, 256, 1, 1, 0, None, arguments, None))
    sums = (ctypes.c_uint * 6)()
    check(cuda.cuMemcpyDtoH_v2(sums, count, ctypes.c_size_t(24)))
    total, fair = sum(sums), 32 * 256 * 200 / 6
    chi2 = sum((s - fair) ** 2 / fair for s in sums)
    print(list(sums), f"chi squared {chi2:.2f}")
    right = total == 32 * 256 * 200 and chi2 < 25.7  # one in ten thousand fair dice is worse
    print("verified" if right else "WRONG")
    check(cuda.cuMemFree_v2(count))
    check(cuda.cuDevicePrimaryCtxRelease_v2(device))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
