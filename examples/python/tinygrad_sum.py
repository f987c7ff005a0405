#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tinygrad: its own compiler makes CUDA sources of tensor expressions, NVRTC and the driver run them. pip install tinygrad; a fit by gradient descent."""
import os
import sys

os.environ.setdefault("DEV", "CUDA")
if "CUDA_HOME" in os.environ:  # it looks for its libraries by itself, in these folders first
    os.environ["CUDA_PATH"] = os.environ["NVRTC_PATH"] = os.path.join(os.environ["CUDA_HOME"], "lib64")
try:
    import tinygrad
    from tinygrad import Device, Tensor
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)

POINTS, STEPS, RATE = 64, 60, 0.4


def fit():
    """A parabola through points that lie on one."""
    x = (Tensor.arange(POINTS).float() / POINTS * 2 - 1).realize()
    basis = Tensor.stack(x * 0 + 1, x, x * x, dim=1).realize()
    want = (2 - 3 * x + 0.5 * x * x).realize()
    weights = Tensor.zeros(3).contiguous().realize()
    for _ in range(STEPS):
        error = basis @ weights - want
        gradient = 2 / POINTS * (basis.transpose(0, 1) @ error)
        weights = (weights - RATE * gradient).realize()
    return weights.numpy().tolist()


def product():
    """A matrix product against Python's own arithmetic."""
    n = 24
    a = [[(i * 5 + k) % 7 - 3 for k in range(n)] for i in range(n)]
    b = [[(i + k * 3) % 5 - 2 for k in range(n)] for i in range(n)]
    got = (Tensor(a).float() @ Tensor(b).float()).numpy().tolist()
    return all(got[i][k] == sum(a[i][j] * b[j][k] for j in range(n)) for i in range(n) for k in range(n))


def main():
    if not str(Device.DEFAULT).startswith("CUDA"):
        print("skipped: tinygrad took", Device.DEFAULT)
        return 77
    weights, right = fit(), product()
    print(f"tinygrad {getattr(tinygrad, '__version__', '')}: {weights[0]:.3f} {weights[1]:+.3f} x {weights[2]:+.3f} x^2")
    right = right and all(abs(w - v) < 0.1 for w, v in zip(weights, (2, -3, 0.5)))
    print("verified" if right else "WRONG")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
