#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cuBLAS and cuFFT from Python without any package, by ctypes: a least-squares line by dot products, and the notes of a chord by a transform."""
import ctypes
import math
import sys


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
        raise RuntimeError(f"error {status}")


class Device:
    """Memory on the device, from a list of numbers."""

    def __init__(self, runtime, kind, values):
        self.runtime, self.host = runtime, (kind * len(values))(*values)
        self.pointer = ctypes.c_void_p()
        size = ctypes.c_size_t(ctypes.sizeof(self.host))
        check(runtime.cudaMalloc(ctypes.byref(self.pointer), size))
        check(runtime.cudaMemcpy(self.pointer, self.host, size, 1))

    def back(self):
        check(self.runtime.cudaMemcpy(self.host, self.pointer, ctypes.c_size_t(ctypes.sizeof(self.host)), 2))
        return list(self.host)

    def __del__(self):
        self.runtime.cudaFree(self.pointer)


def line(runtime, blas):
    """Slope and intercept of y = 3 x - 2 with noise, by four dot products."""
    n = 1000
    xs = [i / n for i in range(n)]
    ys = [3 * x - 2 + 0.1 * math.sin(37 * i) for i, x in enumerate(xs)]
    x, y, one = (Device(runtime, ctypes.c_double, v) for v in (xs, ys, [1.0] * n))
    handle, result = ctypes.c_void_p(), ctypes.c_double()
    check(blas.cublasCreate_v2(ctypes.byref(handle)))

    def dot(a, b):
        check(blas.cublasDdot_v2(handle, n, a.pointer, 1, b.pointer, 1, ctypes.byref(result)))
        return result.value

    sx, sy, sxx, sxy = dot(x, one), dot(y, one), dot(x, x), dot(x, y)
    check(blas.cublasDestroy_v2(handle))
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return slope, (sy - slope * sx) / n


def notes(runtime, fft):
    """The three strongest frequencies of a chord."""
    rate, n, chord = 4096, 4096, (262, 330, 392)
    samples = [sum(math.sin(2 * math.pi * f * i / rate) for f in chord) + 0.3 * math.cos(i * i) for i in range(n)]
    sound = Device(runtime, ctypes.c_float, samples)
    spectrum = Device(runtime, ctypes.c_float, [0.0] * (n + 2))
    plan = ctypes.c_int()
    check(fft.cufftPlan1d(ctypes.byref(plan), n, 0x2A, 1))  # CUFFT_R2C
    check(fft.cufftExecR2C(plan, sound.pointer, spectrum.pointer))
    check(fft.cufftDestroy(plan))
    s = spectrum.back()
    power = [s[2 * k] ** 2 + s[2 * k + 1] ** 2 for k in range(n // 2)]
    return sorted(sorted(range(n // 2), key=power.__getitem__)[-3:])


def main():
    runtime, blas = library("libcudart.so.13"), library("libcublas.so.13")
    fft = library("libcufft.so.12")
    slope, intercept = line(runtime, blas)
    heard = notes(runtime, fft)
    print(f"the line: {slope:.3f} x {intercept:+.3f}; the notes: {heard} Hz")
    right = abs(slope - 3) < 0.02 and abs(intercept + 2) < 0.02 and heard == [262, 330, 392]
    print("verified" if right else "WRONG")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
