# SPDX-License-Identifier: Apache-2.0
"""What the engine tells a debugger: heddle_debug and all that it leads to, read from memory by the layout of
src/device/debug/state.h. It is read anew at every use: nothing here is kept over a stop."""
import struct

import gdb

VERSION = 1
READY, RUNS, HELD, WAITS, RELEASED, OVER = range(6)
STATUS = ["not begun", "running", "held", "waiting", "released", "finished"]

# enum device_fault -> what NVIDIA's debugger calls it, with its number
FAULTS = {
    1: ("CUDA_EXCEPTION_14", "Warp Illegal Address"),
    2: ("CUDA_EXCEPTION_2", "Lane User Stack Overflow"),
    3: ("CUDA_EXCEPTION_6", "Warp Misaligned Address"),
    4: ("CUDA_EXCEPTION_4", "Warp Illegal Instruction"),
    5: ("CUDA_EXCEPTION_12", "Warp Assert"),
    6: ("CUDA_EXCEPTION_4", "Warp Illegal Instruction"),
    7: ("CUDA_EXCEPTION_4", "Warp Illegal Instruction"),
    8: ("CUDA_EXCEPTION_0", "Device Unknown Exception"),
    9: ("CUDA_EXCEPTION_0", "Device Unknown Exception"),
}


class Absent(Exception):
    """The process has no libcuda of Heddle's, or does not run."""


def read(address, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, size))
    except gdb.MemoryError:
        raise Absent("memory at 0x%x cannot be read" % address)


def write(address, data):
    gdb.selected_inferior().write_memory(address, data)


def base():
    """The address of heddle_debug."""
    if not gdb.selected_inferior().pid:
        raise Absent("the program does not run")
    try:
        return int(gdb.parse_and_eval("(unsigned long)&heddle_debug"))
    except gdb.error:
        raise Absent("the program has not loaded libcuda")


def head():
    at = base()
    magic, version, hold, blocks = struct.unpack("<8sIIQ", read(at, 24))
    if magic.rstrip(b"\0") != b"heddle" or version != VERSION:
        raise Absent("libcuda and cuda-gdb are not of one version")
    return at, hold, blocks


def text(address, limit=512):
    out = b""
    while address and len(out) < limit:
        piece = read(address + len(out), 1)
        if piece == b"\0":
            break
        out += piece
    return out.decode("utf-8", "replace")


def xyz(shape, n):
    return (n % shape[0], n // shape[0] % shape[1], n // shape[0] // shape[1])


def linear(shape, at):
    return at[0] + shape[0] * (at[1] + shape[1] * at[2])


def without_types(name):
    """A demangled name without parameters and result: void a::b<int>(int*) is a::b<int>."""
    depth, cut = 0, len(name)
    for i, c in enumerate(name):
        if c == "(" and depth == 0 and not name.startswith("(anonymous namespace)", i):
            cut = i
        depth += c in "<(" or -(c in ">)")
    name, depth, start = name[:cut], 0, 0
    for i, c in enumerate(name):
        depth += c in "<(" or -(c in ">)")
        start = i + 1 if c == " " and depth == 0 else start
    return name[start:]


class Block:
    """struct debug_block"""

    def __init__(self, address):
        words = struct.unpack("<8Q16I", read(address, 128))
        self.address = address
        self.next, _, self.name_at, self.launch, self.block, self.threads_at, self.grid_id, self.shared = words[:8]
        self.count, self.current = words[8:10]
        self.ctaid, self.grid, self.shape, self.cluster = (words[10 + 3 * i : 13 + 3 * i] for i in range(4))
        self.smid, self.shared_bytes = words[22:24]
        self.kernel = text(self.name_at) if self.name_at else None
        self._threads = None

    @property
    def number(self):
        return linear(self.grid, self.ctaid)

    @property
    def threads(self):
        """(status, tid) by thread"""
        if self._threads is None:
            raw = read(self.threads_at, 32 * self.count) if self.threads_at else b""
            self._threads = [struct.unpack_from("<II", raw, 32 * i) for i in range(len(raw) // 32)]
        return self._threads

    def function(self):
        """The kernel's name as the source has it."""
        try:
            return without_types(gdb.execute("demangle -- " + self.kernel, to_string=True).strip())
        except gdb.error:
            return self.kernel


def is_core():
    connection = getattr(gdb.selected_inferior(), "connection", None)
    return connection is not None and connection.type == "core"


def blocks():
    at = head()[2]
    out = []
    while at and len(out) < 65536:
        b = Block(at)
        out.append(b)
        at = b.next
    if not out and is_core():  # code without -G: what the fault tells
        out = [Block(base() + 80)] if Fault().known else []
        out = [b for b in out if b.kernel]
    return sorted(out, key=lambda b: (b.grid_id, b.number))


class Fault:
    """struct debug_exception"""

    def __init__(self):
        at = base() + 40
        self.fault, self.known, self.address, self.pc, self.thread, self.serial = struct.unpack("<IIQQqQ", read(at, 40))
        self.block = Block(at + 40) if self.known else None
        self.name = FAULTS.get(self.fault, ("CUDA_EXCEPTION_0", "Device Unknown Exception"))


def device():
    at = base()
    name, sms, capability = struct.unpack("<64sII", read(at + 464, 72))
    return name.rstrip(b"\0").decode("utf-8", "replace"), sms, capability
