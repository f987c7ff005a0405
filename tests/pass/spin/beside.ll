; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; A loop that sums along a list and counts what it did by an atomic, whose result it keeps in shared memory: its end is in memory that nothing in it writes.
; CHECK: br i1 %more, label %loop, label %out
define void @k(ptr addrspace(1) %list, ptr addrspace(3) %kept) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr addrspace(3) %kept, i32 1 monotonic, align 4
  %to = getelementptr i32, ptr addrspace(3) %kept, i64 1
  store i32 %old, ptr addrspace(3) %to, align 4
  %at = getelementptr i32, ptr addrspace(1) %list, i64 %i
  %x = load i32, ptr addrspace(1) %at, align 4
  %next = add i64 %i, 1
  %more = icmp ne i32 %x, 0
  br i1 %more, label %loop, label %out
out:
  ret void
}
