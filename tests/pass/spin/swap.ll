; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; A sum by compare-and-swap, which tries again with what it found until that was still there: when it fails, another one has succeeded.
; CHECK: br i1 %same, label %out, label %loop
define void @k(ptr addrspace(1) %p) {
entry:
  %first = load i32, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %old = phi i32 [ %first, %entry ], [ %found, %loop ]
  %new = add i32 %old, 3
  %x = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %x, 0
  %same = icmp eq i32 %found, %old
  br i1 %same, label %out, label %loop
out:
  ret void
}
