# SPDX-License-Identifier: Apache-2.0
"""cuda-gdb: what gdb needs to know of kernels. Loaded before the program (cuda-gdb.sh)."""
import os

import gdb

for setting in ("breakpoint pending on", "print thread-events off", "environment HEDDLE_DEBUGGER=1"):
    gdb.execute("set " + setting, to_string=True)
if "HEDDLE_THREADS" not in os.environ:
    gdb.execute("set environment HEDDLE_THREADS=1")  # one worker: blocks do not interleave
for number in (62, 63, 64):
    gdb.execute("handle SIG%d nostop noprint pass" % number, to_string=True)

import state
import focus
import info
import settings
import breaks
import stops

__all__ = ["state", "focus", "info", "settings", "breaks", "stops"]
