; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; A loop that counts comes to its end by itself.
; CHECK: br i1 %more, label %loop, label %out
; CHECK-NOT: heddle.yield
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %up, %loop ]
  store i32 %i, ptr addrspace(1) %p
  %up = add i32 %i, 1
  %more = icmp slt i32 %up, 10
  br i1 %more, label %loop, label %out
out:
  ret void
}
