#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numba: a Julia set, and a sum by shared memory, in Python that is compiled for the device. pip install numba-cuda; docs/clients.md says how it runs."""
import os
import sys

os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
try:
    import numpy
    from numba import cuda, float32
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)

W, H, LIMIT, THREADS = 240, 160, 200, 128


@cuda.jit
def julia(out):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        re, im = float32(3.2) * x / W - float32(1.6), float32(2.2) * y / H - float32(1.1)
        n = 0
        while n < LIMIT and re * re + im * im < 4:
            re, im = re * re - im * im - float32(0.8), 2 * re * im + float32(0.156)
            n += 1
        out[y, x] = n


@cuda.jit
def total(values, result):
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    mine = float32(0)
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        mine += values[i]
    tile[t] = mine
    cuda.syncthreads()
    half = THREADS // 2
    while half:
        if t < half:
            tile[t] += tile[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(result, 0, tile[0])


def julia_host():
    y, x = numpy.mgrid[0:H, 0:W].astype(numpy.float32)
    z = (numpy.float32(3.2) * x / W - numpy.float32(1.6)) + 1j * (numpy.float32(2.2) * y / H - numpy.float32(1.1))
    n = numpy.zeros((H, W), numpy.int32)
    for _ in range(LIMIT):
        alive = numpy.abs(z) < 2
        n += alive
        z = numpy.where(alive, z * z + numpy.complex64(-0.8 + 0.156j), z)
    return n


def main():
    n = cuda.device_array((H, W), numpy.int32)
    julia[((W + 15) // 16, (H + 7) // 8), (16, 8)](n)
    got, want = n.copy_to_host(), julia_host()
    differ = numpy.mean(numpy.abs(got - want) > 2)
    values, result = numpy.arange(10000, dtype=numpy.float32) % 7, cuda.to_device(numpy.zeros(1, numpy.float32))
    total[4, THREADS](cuda.to_device(values), result)
    print(f"{differ:.2%} of the pixels differ from the host's; the sum is {result.copy_to_host()[0]:.0f}")
    right = differ < 0.02 and result.copy_to_host()[0] == values.sum()
    print("verified" if right else "WRONG")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
