; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: marked
; A number made of a phi and constants becomes a pointer and a step, by which accesses side by side are found.
; CHECK: [[P:%[0-9]+]] = inttoptr i64 %at to ptr addrspace(1)
; CHECK: [[Q:%[0-9]+]] = getelementptr i8, ptr addrspace(1) [[P]], i64 12
; CHECK: load i32, ptr addrspace(1) [[Q]]
define void @k(i64 %from, i1 %c) {
entry:
  br label %loop
loop:
  %at = phi i64 [ %from, %entry ], [ %next, %loop ]
  %four = add i64 %at, 4
  %twelve = add i64 %four, 8
  %p = inttoptr i64 %twelve to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %p
  %next = add i64 %at, 16
  br i1 %c, label %loop, label %out
out:
  ret void
}
