# SPDX-License-Identifier: Apache-2.0
"""What is told at a stop: the focus where it has moved, the exception where a kernel has met one; and core files.
Addresses of shared memory as NVIDIA's debugger writes them: print *(@shared int*)0x20."""
import re

import gdb

import breaks
import focus
import state

reported = 0


class Exceptions(gdb.Breakpoint):
    """A kernel has met a fault that the processor did not tell."""

    def __init__(self):
        super().__init__("heddle_debug_exception", internal=True)
        self.silent = True

    def stop(self):
        return state.Fault().fault not in signalled


signalled = (1, 2, 6)  # where gdb has stopped at the signal itself; an address that a check found has none


def exception_text(fault):
    where = ""
    try:
        sal = gdb.find_pc_line(fault.pc)
        if sal.symtab and sal.line:
            where = " (%s:%d)" % (sal.symtab.filename.rsplit("/", 1)[-1], sal.line)
    except (gdb.error, RuntimeError):
        pass
    out = "CUDA Exception: %s\n" % fault.name[1]
    if fault.pc:
        out += "The exception was triggered at PC 0x%x%s\n" % (fault.pc, where)
    return out


def fault_focus(fault):
    b = fault.block
    if b is None or not b.kernel:
        return None
    return focus.Focus(b, max(fault.thread, 0))


def tell_fault(fault):
    print(exception_text(fault), end="")
    f = fault_focus(fault)
    print("\nCUDA program received signal %s, %s." % fault.name)
    if f is not None:
        print("[Switching focus to %s]" % f.text())


def select_device_frame():
    frame = focus.device_frame()
    if frame is not None:
        frame.select()
    return frame


def on_signal(event):
    """The processor has told of a fault, in code of a kernel?"""
    frame = gdb.newest_frame()
    f = focus.of_selected()
    here = select_device_frame()
    if here is None:
        return
    name = state.FAULTS[1] if event.stop_signal in ("SIGSEGV", "SIGBUS") else state.FAULTS[6]
    print("CUDA Exception: %s" % name[1])
    sal = here.find_sal()
    print("The exception was triggered at PC 0x%x (%s:%d)" % (here.pc(), sal.symtab.filename.rsplit("/", 1)[-1], sal.line))
    print("\nCUDA program received signal %s, %s." % name)
    if f is not None:
        print("[Switching focus to %s]" % f.text())
    if frame != here:
        gdb.execute("frame")


def on_stop(event):
    global reported
    if focus.quiet:
        return
    try:
        before = focus.last
        if isinstance(event, gdb.SignalEvent) and event.stop_signal in ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE"):
            on_signal(event)
            return
        if gdb.newest_frame().name() == "heddle_debug_exception":
            fault = state.Fault()
            if fault.known and fault.serial != reported:
                reported = fault.serial
                tell_fault(fault)
                if select_device_frame() is not None:
                    gdb.execute("frame")
            return
        f = focus.of_selected()
        launch = isinstance(event, gdb.BreakpointEvent) and any(b.number in breaks.launched for b in event.breakpoints)
        if f is not None and launch:
            focus.show(f)
        elif f is not None and before != (f.block.grid_id, f.block.number, f.thread):
            focus.last = (f.block.grid_id, f.block.number, f.thread)
            print("[Switching focus to %s]" % f.text())
    except (state.Absent, gdb.error, gdb.MemoryError, RuntimeError):
        pass


class TargetCudacore(gdb.Command):
    """Open a core file that a device exception left (CUDA_ENABLE_COREDUMP_ON_EXCEPTION).
target cudacore FILE"""

    def __init__(self):
        super().__init__("target cudacore", gdb.COMMAND_FILES, gdb.COMPLETE_FILENAME, False)

    def invoke(self, arg, from_tty):
        path = arg.strip()
        if not path:
            raise gdb.GdbError("target cudacore: a file is needed")
        focus.quiet = True
        try:
            text = gdb.execute("core-file " + path, to_string=True)
        finally:
            focus.quiet = False
        for line in text.splitlines():
            if line.startswith("warning"):
                print(line)
        print("Opening GPU coredump: %s" % path)
        try:
            fault = state.Fault()
        except state.Absent as e:
            raise gdb.GdbError("%s: no kernel's fault in it (%s)" % (path, e))
        if not fault.known:
            raise gdb.GdbError("%s: no kernel's fault in it" % path)
        print(exception_text(fault), end="")
        f = fault_focus(fault)
        if f is not None:
            focus.last = (f.block.grid_id, f.block.number, f.thread)
            print("[Current focus set to %s]" % f.text())
        if select_device_frame() is not None:
            gdb.execute("frame")


SPACES = re.compile(r"\(\s*@(shared|global|generic|local|parameter|constant)\s+([^()]*(?:\([^()]*\)[^()]*)?)\)")


def plain(expression):
    """(@shared T*)X is an address in the block's shared memory; other spaces have addresses of the process."""

    def one(m):
        if m.group(1) != "shared":
            return "(%s)" % m.group(2)
        return "(%s)(0x%x)+(unsigned long)" % (m.group(2), 0)

    if "@shared" in expression:
        shared = focus.needed().block.shared
        # The cast binds to the operand behind it: a name, a number, or what stands in parentheses.
        operand = r"(&?\s*(?:0x[0-9a-fA-F]+|\w+|\([^()]*\)))"
        expression = re.sub(SPACES.pattern.replace("shared|global|generic|local|parameter|constant", "shared") + r"\s*" + operand,
                            lambda m: "((%s)((unsigned long)(%s) < 0x1000000 ? 0x%x + (unsigned long)(%s) : (unsigned long)(%s)))"
                            % (m.group(2), m.group(3), shared, m.group(3), m.group(3)), expression)
    return SPACES.sub(one, expression)


class Print(gdb.Command):
    """Print value of expression EXP: print [[OPTION]... --] [/FMT] [EXP]
(@shared T*)N is the address N of the block's shared memory."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION, False)

    def invoke(self, arg, from_tty):
        options = "" if arg.lstrip().startswith("/") else " "
        if re.search(r"@(shared|global|generic|local|parameter|constant)\b", arg):
            arg = plain(arg)
        gdb.execute("call" + options + arg, from_tty)


Print()
TargetCudacore()
gdb.events.stop.connect(on_stop)
breaks.when_engine_is_there(Exceptions)
