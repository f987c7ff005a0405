; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A lock in a bit: the exchange expects what was found, succeeds where the lock is closed too, and the loop goes on.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK-NEXT: br label %loop
define void @k(ptr addrspace(1) %p) {
entry:
  %first = load i32, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %closed = or i32 %old, 1
  %x = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %closed monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %x, 0
  %other = icmp ne i32 %found, %old
  %bit = and i32 %found, 1
  %shut = icmp ne i32 %bit, 0
  %again = select i1 %other, i1 true, i1 %shut
  br i1 %again, label %loop, label %out
out:
  ret void
}
