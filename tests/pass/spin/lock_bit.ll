; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A lock in a bit: the exchange expects what was found without the bit, and fails as long as its owner does nothing.
; CHECK: spin:
; CHECK-NEXT: call void @heddle.yield()
; CHECK-NEXT: br label %loop
define void @k(ptr addrspace(1) %p) {
entry:
  %first = load i32, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %open = and i32 %old, -2
  %closed = or i32 %old, 1
  %x = cmpxchg ptr addrspace(1) %p, i32 %open, i32 %closed monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %x, 0
  %same = icmp eq i32 %found, %open
  br i1 %same, label %out, label %loop
out:
  ret void
}
