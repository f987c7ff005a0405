# SPDX-License-Identifier: Apache-2.0
"""The focus: the thread of a kernel that commands speak of. It is the one whose stack gdb's selected thread has; where gdb stands
elsewhere, as on a thread of the host, the last one stays as long as it is there.

A thread that waits, or is held, has its frames: the focus moves by selecting it. One that has not begun, or may go on, is first run
up to the line where the focus stands, or to where it waits before that: the thread in focus is given the signal that holds it
(src/device/debug/stacks.h), and the engine runs the other one meanwhile."""
import re
import struct

import gdb

import state

last = None  # (grid id, block number, thread)
quiet = False


class Focus:
    def __init__(self, block, thread):
        self.block = block
        self.thread = thread

    @property
    def status(self):
        return self.block.threads[self.thread][0] if self.block.threads else state.RUNS

    @property
    def tid(self):
        return self.block.threads[self.thread][1] if self.block.threads else 0

    def kernel_text(self):
        b = self.block
        return "kernel %d, grid %d" % (b.grid_id - 1, b.grid_id)

    def text(self):
        b, t = self.block, self.thread
        return "CUDA %s, block %s, thread %s, device 0, sm %d, warp %d, lane %d" % (
            self.kernel_text(), triple(b.ctaid), triple(state.xyz(b.shape, t)), b.smid, t // 32, t % 32)


def triple(v):
    return "(%d,%d,%d)" % tuple(v)


def lwp_threads():
    return {t.ptid[1]: t for t in gdb.selected_inferior().threads()}


def is_device(frame):
    """Whether the frame is one of a kernel, or of a function that it calls."""
    f = frame.function()
    if f is None or f.symtab is None or f.symtab.objfile is None or frame.find_sal().line == 0:
        return False
    return "in-memory" in (f.symtab.objfile.filename or "")  # as gdb names what its JIT interface was told of


def device_frame(frame=None):
    frame = frame or gdb.newest_frame()
    for _ in range(64):
        if frame is None:
            return None
        if is_device(frame):
            return frame
        frame = frame.older()
    return None


def of_selected():
    t = gdb.selected_thread()
    if t is None:
        return None
    for b in state.blocks():
        for i, (status, tid) in enumerate(b.threads):
            if tid == t.ptid[1] and status not in (state.READY, state.OVER):
                return Focus(b, i)
    return None


def current():
    """The focus, or None."""
    global last
    try:
        f = of_selected()
        if f is None and last:
            for b in state.blocks():
                if (b.grid_id, b.number) == last[:2] and last[2] < b.count and (b.threads or state.is_core()):
                    f = Focus(b, last[2])
            if f is not None and f.status in (state.READY, state.OVER):
                f = None
    except state.Absent:
        return None
    if f is not None:
        last = (f.block.grid_id, f.block.number, f.thread)
    return f


def needed():
    f = current()
    if f is None:
        raise gdb.GdbError("Focus is not set on any active CUDA kernel.")
    return f


def show(f):
    """Selects the thread of the focus, which has frames, and prints where it stands."""
    thread = lwp_threads().get(f.tid)
    if thread is None:
        raise gdb.GdbError("Request cannot be satisfied. CUDA focus unchanged.")
    thread.switch()
    frame = device_frame()
    if frame is not None:
        frame.select()
    global last
    last = (f.block.grid_id, f.block.number, f.thread)
    print("[Switching focus to %s]" % f.text())
    if frame is not None:
        gdb.execute("frame")


def refetch(block):
    return state.Block(block.address)


def stops_at(pc, event):
    """Internal stops: at pc, and where a thread waits or ends."""
    out = []
    for spec in ("*0x%x" % pc, "heddle_debug_waits", "heddle_debug_ended"):
        b = gdb.Breakpoint(spec, internal=True)
        b.silent = True
        out.append(b)
    return out


def execute_quietly(command):
    global quiet
    quiet = True
    suppress("on")
    try:
        return gdb.execute(command, to_string=True)
    finally:
        suppress("off")
        quiet = False


def suppress(value):
    """Stops are told in spite of to_string, but for this (GDB 12)."""
    try:
        gdb.execute("set suppress-cli-notifications " + value, to_string=True)
    except gdb.error:
        pass


def advance(here, there):
    """Runs thread `there` of the block of `here`, which is held meanwhile."""
    thread = lwp_threads()[here.tid]
    thread.switch()
    top = gdb.newest_frame()
    if not is_device(top):
        raise gdb.GdbError("Request cannot be satisfied: the thread in focus is not in its own code. CUDA focus unchanged.")
    pc = top.pc()
    if there.status == state.HELD:
        lwp_threads()[there.tid].switch()
        to = device_frame().pc()
        thread.switch()
    else:
        to = pc
    at, hold, _ = state.head()
    locking = gdb.parameter("scheduler-locking")
    # Off the breakpoint that it stands at, so that it is not met again when the thread goes on.
    if any(b.is_valid() and b.enabled and b.type == gdb.BP_BREAKPOINT for b in gdb.breakpoints() or ()):
        gdb.execute("set scheduler-locking on")
        try:
            execute_quietly("stepi")
        finally:
            gdb.execute("set scheduler-locking " + locking)
    state.write(at + 24, struct.pack("<QQ", here.block.address, there.thread + 1))
    stops = stops_at(to, there)
    users = [b for b in gdb.breakpoints() or () if b.enabled and b.number > 0]
    try:
        for b in users:
            b.enabled = False
        execute_quietly("queue-signal SIG%d" % hold)
        execute_quietly("continue")
    finally:
        for b in stops:
            b.delete()
        for b in users:
            if b.is_valid():
                b.enabled = True
        if gdb.selected_inferior().pid:
            state.write(at + 24, struct.pack("<QQ", 0, 0))


def switch(block, thread):
    """Moves the focus to a thread of the block."""
    if not block.threads:
        raise gdb.GdbError("Request cannot be satisfied: the kernel runs by gangs. CUDA focus unchanged.")
    f = Focus(block, thread)
    here = of_selected() or current()
    if f.status == state.OVER:
        raise gdb.GdbError("Request cannot be satisfied: the thread has finished. CUDA focus unchanged.")
    same = here is not None and here.block.address == block.address and here.thread == thread
    if same or f.status in (state.WAITS, state.RUNS):
        show(f)
        return
    running = Focus(block, block.current)
    if running.status != state.RUNS or not running.tid:
        raise gdb.GdbError("Request cannot be satisfied: no thread of the block runs. CUDA focus unchanged.")
    advance(running, f)
    f = Focus(refetch(block), thread)
    if f.status in (state.READY, state.OVER) or not f.tid:
        raise gdb.GdbError("Request cannot be satisfied: the thread has finished. CUDA focus unchanged.")
    show(f)


NUMBER = r"\(?\s*\d+(?:\s*,\s*\d+){0,2}\s*\)?"
WORDS = ["device", "sm", "warp", "lane", "kernel", "grid", "block", "thread"]


def parse(arg):
    """[(word, numbers or None)]"""
    out, rest = [], arg.strip()
    while rest:
        m = re.match(r"(%s)\b\s*(%s)?\s*" % ("|".join(WORDS), NUMBER), rest)
        if not m:
            raise gdb.GdbError("Unrecognized argument(s): %s" % rest)
        numbers = tuple(int(n) for n in re.findall(r"\d+", m.group(2))) if m.group(2) else None
        out.append((m.group(1), numbers))
        rest = rest[m.end() :].lstrip(", ")
    return out


def describe(words):
    f = needed()
    b, t = f.block, f.thread
    values = {"device": "0", "sm": str(b.smid), "warp": str(t // 32), "lane": str(t % 32), "kernel": str(b.grid_id - 1),
              "grid": str(b.grid_id), "block": triple(b.ctaid), "thread": triple(state.xyz(b.shape, t))}
    print(", ".join("%s %s" % (w, values[w]) for w in WORDS if w in words))


def within(at, shape):
    return all(a < s for a, s in zip(at, shape))


def unsatisfied():
    return gdb.GdbError("Request cannot be satisfied. CUDA focus unchanged.")


def request(words):
    here = current()
    asked = dict(words)
    all_blocks = state.blocks()
    if not all_blocks:
        raise gdb.GdbError("Focus is not set on any active CUDA kernel.")
    grid = here.block.grid_id if here else all_blocks[0].grid_id
    if asked.get("kernel"):
        grid = asked["kernel"][0] + 1
    if asked.get("grid"):
        grid = asked["grid"][0]
    if asked.get("device", (0,))[0] != 0:
        raise unsatisfied()
    candidates = [b for b in all_blocks if b.grid_id == grid]
    if asked.get("sm"):
        candidates = [b for b in candidates if b.smid == asked["sm"][0]]
    if asked.get("block"):
        at = (asked["block"] + (0, 0))[:3]
        candidates = [b for b in candidates if b.ctaid == at]
    elif here and here.block.address in [b.address for b in candidates]:
        candidates = [b for b in candidates if b.address == here.block.address]
    if not candidates:
        raise unsatisfied()
    block = candidates[0]
    same = here is not None and here.block.address == block.address
    thread = here.thread if same else block.current
    if asked.get("thread"):
        at = (asked["thread"] + (0, 0))[:3]
        if not within(at, block.shape):
            raise unsatisfied()
        thread = state.linear(block.shape, at)
    if asked.get("warp"):
        thread = asked["warp"][0] * 32 + (thread % 32 if asked.get("thread") else 0)
    if asked.get("lane"):
        if asked["lane"][0] > 31:
            raise unsatisfied()
        thread = thread // 32 * 32 + asked["lane"][0]
    if thread >= block.count:
        raise unsatisfied()
    switch(block, thread)


class Cuda(gdb.Command):
    """Print or select the CUDA focus.
cuda [device|sm|warp|lane|kernel|grid|block|thread] ...   prints these coordinates of the focus
cuda kernel N block (x,y,z) thread (x,y,z) ...            moves the focus; what is not named stays"""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, False)

    def invoke(self, arg, from_tty):
        words = parse(arg) or [(w, None) for w in WORDS]
        try:
            if any(n is not None for _, n in words):
                request(words)
            else:
                describe([w for w, _ in words])
        except state.Absent:
            raise gdb.GdbError("Focus is not set on any active CUDA kernel.")

    def complete(self, line, word):
        return [w for w in WORDS if w.startswith(word or "")]


Cuda()
