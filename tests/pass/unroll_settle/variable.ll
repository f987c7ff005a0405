; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: marked
; What is added is no constant: there is no step to speak of.
; CHECK: %p = inttoptr i64 %there to ptr addrspace(1)
; CHECK-NOT: getelementptr
define void @k(i64 %from, i64 %by, i1 %c) {
entry:
  br label %loop
loop:
  %at = phi i64 [ %from, %entry ], [ %next, %loop ]
  %there = add i64 %at, %by
  %p = inttoptr i64 %there to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %p
  %next = add i64 %at, 16
  br i1 %c, label %loop, label %out
out:
  ret void
}
