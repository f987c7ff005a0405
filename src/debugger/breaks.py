# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in kernels. The code of a kernel comes when it is first launched: until then a breakpoint is pending, or
stands where gdb found the nearest line of the host's code. There it is switched off; gdb moves it when the kernel comes.
break and tbreak accept conditions that name threadIdx and the like before the kernel is there."""
import re

import gdb

import state

STUB = "__device_stub__"


def host_places_off(b):
    """Locations in the host's stubs of kernels, which no one means. True: there were some."""
    found = False
    if not hasattr(b, "locations"):  # before GDB 13
        return found
    try:
        for place in b.locations:
            if place.function and STUB in place.function and place.enabled:
                place.enabled = False
                found = True
    except (gdb.error, RuntimeError):
        pass
    return found


class Break(gdb.Command):
    """Set breakpoint at specified location.
break [LOCATION] [thread N] [if CONDITION]
A kernel may be named before it is loaded, and the condition may name threadIdx, blockIdx, blockDim and gridDim."""

    def __init__(self, name, temporary):
        self.temporary = temporary
        super().__init__(name, gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION, False)

    def invoke(self, arg, from_tty):
        arg = re.sub(r"(^|\s)-force-condition(?=\s|$)", " ", arg).strip()
        m = re.match(r"(.*?)(?:(?:^|\s+)if\b(.*))?$", arg, re.S)
        spec, condition = m.group(1).strip(), (m.group(2) or "").strip()
        t = re.match(r"(.*?)(?:^|\s+)thread\s+(\S+)$", spec)
        thread = t.group(2) if t else None
        spec = t.group(1).strip() if t else spec
        if not spec:
            spec = "*0x%x" % gdb.selected_frame().pc()
        b = gdb.Breakpoint(spec, temporary=self.temporary)
        if thread:
            b.thread = int(thread)
        if condition:
            condition_set(b, condition)
        if host_places_off(b):
            print("The kernel is not loaded yet: breakpoint %d moves to %s when it is." % (b.number, spec))


conditions = {}  # of pending breakpoints: gdb would give these up if it found them with a condition and without a place


def condition_set(b, condition):
    if b.pending:
        conditions[b] = condition
    else:
        gdb.execute("condition -force %d %s" % (b.number, condition), to_string=True)


def all_places_off(_=None):
    for b in list(conditions):
        if not b.is_valid():
            del conditions[b]
        elif not b.pending:
            condition_set(b, conditions.pop(b))
    for b in gdb.breakpoints() or ():
        if b.type == gdb.BP_BREAKPOINT and b.visible:
            host_places_off(b)


launched = set()  # numbers of the stops at the beginnings of kernels


class Launch(gdb.Breakpoint):
    """The first block of a grid begins: the kernel gets a breakpoint, once for each launch."""

    def __init__(self):
        super().__init__("heddle_debug_launch", internal=True)
        self.silent = True

    def stop(self):
        try:
            at = state.head()[2]
            b = state.Block(at)
            first = gdb.Breakpoint(function=b.function(), qualified=True, internal=True, temporary=True)
            first.silent = True
            launched.add(first.number)
        except (state.Absent, gdb.error, RuntimeError):
            pass
        return False


wanted = []  # classes of stops in the engine
there = {}  # class -> its stop


def when_engine_is_there(kind):
    """A stop in libcuda, which comes when the program does."""
    wanted.append(kind)
    engine_look()


def engine_look():
    for kind in wanted:
        b = there.get(kind)
        if b is not None and b.is_valid():
            continue
        try:
            gdb.parse_and_eval("&heddle_debug")
            there[kind] = kind()
        except gdb.error:
            pass


def launches_watch(on):
    if on:
        when_engine_is_there(Launch)
        return
    if Launch in wanted:
        wanted.remove(Launch)
    b = there.pop(Launch, None)
    if b is not None and b.is_valid():
        b.delete()


def on_objfile(event):
    all_places_off()
    if "libcuda" in (event.new_objfile.filename or ""):
        engine_look()


Break("break", False)
Break("tbreak", True)
gdb.events.new_objfile.connect(on_objfile)
