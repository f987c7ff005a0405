# SPDX-License-Identifier: Apache-2.0
"""set cuda ..., show cuda ..."""
import gdb


class Prefix(gdb.Command):
    def __init__(self, name, about):
        self.__doc__ = about
        super().__init__(name, gdb.COMMAND_NONE, gdb.COMPLETE_NONE, True)


Prefix("set cuda", "Settings of cuda-gdb.")
Prefix("show cuda", "Settings of cuda-gdb.")


class Coalescing(gdb.Parameter):
    """Whether tables show neighbours that are alike in one row."""

    def __init__(self):
        super().__init__("cuda coalescing", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = True

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return "Coalescing of the CUDA commands output is %s." % value


class BreakOnLaunch(gdb.Parameter):
    """Whether the program stops where a kernel begins: none, application or all."""

    def __init__(self):
        super().__init__("cuda break_on_launch", gdb.COMMAND_RUNNING, gdb.PARAM_ENUM,
                         ["none", "application", "system", "all"])
        self.value = "none"

    def get_set_string(self):
        if self.value == "system":
            self.value = "none"
            raise gdb.GdbError("Kernels of the system's own are not shown: there are none that a debugger sees.")
        gdb.execute("python import breaks; breaks.launches_watch(%r)" % (self.value != "none"))
        return ""

    def get_show_string(self, value):
        return "Break on every kernel launch is set to '%s'." % value


class LaunchBlocking(gdb.Parameter):
    """Whether a launch returns when the kernel is over. For programs that are started afterwards."""

    def __init__(self):
        super().__init__("cuda launch_blocking", gdb.COMMAND_RUNNING, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        gdb.execute("set environment CUDA_LAUNCH_BLOCKING=1" if self.value else "unset environment CUDA_LAUNCH_BLOCKING",
                    to_string=True)
        return ""

    def get_show_string(self, value):
        return "CUDA launch blocking is %s." % value


class Memcheck(gdb.Parameter):
    """Whether accesses are checked against the bounds of allocations: they are not, and it cannot be turned on."""

    def __init__(self):
        super().__init__("cuda memcheck", gdb.COMMAND_RUNNING, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self):
        if self.value:
            self.value = False
            raise gdb.GdbError("Not supported: accesses are not checked against the bounds of allocations in the debugger. "
                               "Addresses behind the pages of an allocation and misaligned ones stop it in any case.")
        return ""

    def get_show_string(self, value):
        return "CUDA Memory Checker (memcheck) is %s." % value


_coalescing = Coalescing()
BreakOnLaunch()
LaunchBlocking()
Memcheck()


def coalesce():
    return _coalescing.value
