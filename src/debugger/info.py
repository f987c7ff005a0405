# SPDX-License-Identifier: Apache-2.0
"""info cuda ...: tables of what runs. Columns as in NVIDIA's debugger, where there is such a thing here."""
import gdb

import focus
import settings
import state
from focus import triple


def table(rows, head):
    """rows of (marked, cells)"""
    width = [max(len(str(r[1][i])) for r in rows + [(0, head)]) for i in range(len(head))]
    print("  " + " ".join(str(h).rjust(w) for h, w in zip(head, width)))
    for marked, cells in rows:
        print(("* " if marked else "  ") + " ".join(str(c).rjust(w) for c, w in zip(cells, width)))


def by_grid():
    """[(grid id, blocks)]"""
    grids = {}
    for b in state.blocks():
        grids.setdefault(b.grid_id, []).append(b)
    return sorted(grids.items())


def focused_blocks():
    """The blocks of the kernel in focus, and the focus."""
    f = focus.current()
    if f is None:
        grids = by_grid()
        return (grids[0][1] if grids else []), None
    return [b for b in state.blocks() if b.grid_id == f.block.grid_id], f


def mask(numbers):
    return "0x%x" % sum(1 << n for n in set(numbers))


def kernels(_):
    f = focus.current()
    rows = []
    for grid, blocks in by_grid():
        b = blocks[0]
        rows.append((f is not None and f.block.grid_id == grid,
                     (grid - 1, "-", 0, grid, "Active", mask(x.smid for x in blocks), triple(b.grid), triple(b.shape),
                      b.function() + arguments(blocks))))
    if not rows:
        print("No CUDA kernels.")
        return
    table(rows, ("Kernel", "Parent", "Dev", "Grid", "Status", "SMs Mask", "GridDim", "BlockDim", "Invocation"))


def arguments(blocks):
    """The arguments, where a thread has frames."""
    threads = focus.lwp_threads()
    selected, frame = gdb.selected_thread(), None
    out = "()"
    try:
        frame = gdb.selected_frame()
        for b in blocks:
            for status, tid in b.threads:
                if status in (state.READY, state.OVER) or tid not in threads:
                    continue
                threads[tid].switch()
                f = focus.device_frame()
                while f is not None and f.older() is not None and f.older().function() is not None \
                        and not f.older().function().name.startswith("heddle.thread"):
                    f = f.older()
                if f is not None and f.function() is not None:
                    args = ["%s=%s" % (s.name, s.value(f)) for s in f.block() if s.is_argument]
                    return "(" + ", ".join(args) + ")"
    except (gdb.error, gdb.MemoryError, RuntimeError):
        pass
    finally:
        if selected is not None:
            selected.switch()
        if frame is not None and frame.is_valid():
            frame.select()
    return out


def spans(items):
    """Runs of equal neighbours: [(first index, last index, key)]. items: [(index, key)]"""
    out = []
    for index, key in items:
        if out and settings.coalesce() and out[-1][2] == key and out[-1][1] == index - 1:
            out[-1][1] = index
        else:
            out.append([index, index, key])
    return out


def blocks(_):
    all_blocks, f = focused_blocks()
    if not all_blocks:
        print("No CUDA blocks.")
        return
    print("Kernel %d" % (all_blocks[0].grid_id - 1))
    grid = all_blocks[0].grid
    rows = []
    for first, end, key in spans([(b.number, "running") for b in all_blocks]):
        marked = f is not None and first <= f.block.number <= end
        rows.append((marked, (triple(state.xyz(grid, first)), triple(state.xyz(grid, end)), end - first + 1, key)))
    table(rows, ("BlockIdx", "To BlockIdx", "Count", "State"))


def places(block):
    """Where each thread of the block stands: [(status, pc, file, line)]"""
    threads = focus.lwp_threads()
    selected, frame = gdb.selected_thread(), gdb.selected_frame()
    out = []
    try:
        for status, tid in block.threads:
            f = None
            if status not in (state.READY, state.OVER) and tid in threads:
                threads[tid].switch()
                f = focus.device_frame()
            if f is None:
                out.append((status, 0, "n/a", 0))
                continue
            sal = f.find_sal()
            name = sal.symtab.filename.rsplit("/", 1)[-1] if sal.symtab else "n/a"
            out.append((status, f.pc(), name, sal.line))
    finally:
        selected.switch()
        frame.select()
    return out


def pc_text(pc):
    return "0x%016x" % pc if pc else "n/a"


def threads(_):
    all_blocks, f = focused_blocks()
    if not any(b.threads for b in all_blocks):
        print("No CUDA threads.")
        return
    print("Kernel %d" % (all_blocks[0].grid_id - 1))
    rows = []
    for b in all_blocks:
        alive = [(i, p) for i, p in enumerate(places(b)) if p[0] != state.OVER]
        for first, end, (status, pc, name, line) in spans(alive):
            marked = f is not None and f.block.address == b.address and first <= f.thread <= end
            rows.append((marked, (triple(b.ctaid), triple(state.xyz(b.shape, first)), triple(b.ctaid),
                                  triple(state.xyz(b.shape, end)), end - first + 1, pc_text(pc), name, line or "n/a",
                                  state.STATUS[status])))
    table(rows, ("BlockIdx", "ThreadIdx", "To BlockIdx", "To ThreadIdx", "Count", "PC", "Filename", "Line", "State"))


def lanes(_):
    f = focus.needed()
    b, warp = f.block, f.thread // 32
    print("Device 0 SM %d Warp %d" % (b.smid, warp))
    rows = []
    all_places = places(b)
    fault = state.Fault()
    for lane in range(32):
        t = warp * 32 + lane
        if t >= len(all_places):
            rows.append((False, (lane, "inactive", "n/a", "n/a", "n/a")))
            continue
        status, pc, _, _ = all_places[t]
        word = "exited" if status == state.OVER else "active"
        hit = fault.known and fault.thread == t and fault.block.launch == b.launch and fault.block.ctaid == b.ctaid
        rows.append((t == f.thread, (lane, word, pc_text(pc), triple(state.xyz(b.shape, t)),
                                     fault.name[0] if hit else "None")))
    table(rows, ("Ln", "State", "PC", "ThreadIdx", "Exception"))


def warps(_):
    all_blocks, f = focused_blocks()
    if not all_blocks:
        print("No CUDA warps.")
        return
    sm = f.block.smid if f else all_blocks[0].smid
    print("Device 0 SM %d" % sm)
    rows = []
    for b in [b for b in all_blocks if b.smid == sm]:
        for w in range((b.count + 31) // 32):
            lanes_here = b.threads[32 * w : 32 * w + 32]
            active = sum(1 << i for i, t in enumerate(lanes_here) if t[0] != state.OVER)
            first = next((i for i, t in enumerate(lanes_here) if t[0] != state.OVER), None)
            if not lanes_here or first is None:
                continue
            apart = {(t[0]) for t in lanes_here if t[0] != state.OVER}
            divergent = active & ~sum(1 << i for i, t in enumerate(lanes_here) if t[0] == lanes_here[first][0]) \
                if len(apart) > 1 else 0
            marked = f is not None and f.block.address == b.address and f.thread // 32 == w
            rows.append((marked, (w, "0x%08x" % active, "0x%08x" % divergent, b.grid_id - 1, triple(b.ctaid),
                                  triple(state.xyz(b.shape, 32 * w + first)))))
    table(rows, ("Wp", "Active Lanes Mask", "Divergent Lanes Mask", "Kernel", "BlockIdx", "First Active ThreadIdx"))


def sms(_):
    all_blocks = state.blocks()
    f = focus.current()
    count = state.device()[1]
    print("Device 0")
    rows = []
    for sm in sorted({b.smid for b in all_blocks} | set(range(count))):
        warps_here = sum((b.count + 31) // 32 for b in all_blocks if b.smid == sm)
        rows.append((f is not None and f.block.smid == sm, (sm, warps_here)))
    table(rows, ("SM", "Active Warps"))


def devices(_):
    name, count, capability = state.device()
    f = focus.current()
    table([(f is not None, (0, name, "sm_%d" % capability, count, 32, mask(b.smid for b in state.blocks())))],
          ("Dev", "Name", "SM Type", "SMs", "Lanes/Warp", "Active SMs Mask"))


def contexts(_):
    state.head()
    f = focus.current()
    table([(f is not None, ("0x%x" % state.base(), 0, "active" if state.blocks() else "inactive"))],
          ("Context", "Dev", "State"))


def line(_):
    f = focus.needed()
    where = places(f.block)[f.thread]
    table([(True, (pc_text(where[1]), where[2], where[3] or "n/a"))], ("PC", "Filename", "Line"))


def launch_trace(_):
    f = focus.needed()
    b = f.block
    print("  Lvl Kernel Dev Grid Status Invocation")
    print("*   0 %6d   0 %4d Active %s%s" % (b.grid_id - 1, b.grid_id, b.function(), arguments([b])))


TABLES = {"kernels": kernels, "blocks": blocks, "threads": threads, "lanes": lanes, "warps": warps, "sms": sms,
          "devices": devices, "contexts": contexts, "line": line, "launch": launch_trace}


class InfoCuda(gdb.Command):
    """Print information about the current CUDA activities. Available options:
devices, contexts, kernels, sms, warps, lanes, blocks, threads, line, launch trace"""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, False)

    def invoke(self, arg, from_tty):
        words = arg.split()
        if not words:
            print(self.__doc__)
            return
        found = [n for n in TABLES if n.startswith(words[0])]
        if len(found) != 1 or (words[1:] and not (found == ["launch"] and words[1:] == ["trace"])):
            raise gdb.GdbError("Unrecognized option: '%s'." % arg)
        try:
            TABLES[found[0]](words[1:])
        except state.Absent as e:
            print("No CUDA %s (%s)." % (arg, e))

    def complete(self, text, word):
        return [n for n in TABLES if n.startswith(word or "")]


InfoCuda()
