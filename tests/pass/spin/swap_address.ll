; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; The loop computes the address anew, and it is the same each time.
; CHECK: br i1 %same, label %out, label %loop
define void @k(ptr addrspace(1) %p, i64 %i) {
entry:
  br label %loop
loop:
  %old = phi i32 [ 7, %entry ], [ %found, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %new = add i32 %old, 3
  %x = cmpxchg ptr addrspace(1) %at, i32 %old, i32 %new monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %x, 0
  %same = icmp eq i32 %found, %old
  br i1 %same, label %out, label %loop
out:
  ret void
}
