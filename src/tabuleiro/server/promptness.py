"""To be let in soon by a system that is busy.

A server needs the processor often and each time for a moment. Linux lets a thread say that it wants short turns (the
slices of EEVDF, from 6.12 on): it then comes sooner when it wakes up, and has no more of the processor for it. Beside a
program that computes without end, the slowest answers come twice as soon. Elsewhere nothing happens.
"""

import ctypes
import os
import platform
import struct
import sys

#: `sched_setattr`, which Python does not know, by machine.
_CALLS = {"x86_64": 314, "aarch64": 274}
#: The length of a turn, in nanoseconds.
SHORT = 200_000


def ask_for_short_turns() -> None:
    """For this thread, and those that it starts from now on."""
    _set_turns(SHORT)


def ask_for_usual_turns() -> None:
    """For a process that was started by one with short turns and computes for long."""
    _set_turns(0)


def _set_turns(nanoseconds: int) -> None:
    call = _CALLS.get(platform.machine())
    if sys.platform != "linux" or call is None or sys.maxsize < 1 << 32:
        return
    # struct sched_attr: its size, the usual policy, no flags, niceness, no priority, turns, no deadline and no period.
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    wish = struct.pack("=IIQiIQQQ", 48, 0, 0, niceness, 0, nanoseconds, 0, 0)
    ctypes.CDLL(None).syscall(call, 0, wish, 0)  # where it is refused all is as it was
