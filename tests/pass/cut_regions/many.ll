; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: waits resume_points
; Barriers in arms of branches, and each leads to the same long rest: without a cut every region would have a copy of it.
; CHECK: points 13
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %q) {
entry:
  %n = load i32, ptr addrspace(1) %q
  switch i32 %n, label %rest [ i32 1, label %b1
    i32 2, label %b2
    i32 3, label %b3
    i32 4, label %b4
    i32 5, label %b5
    i32 6, label %b6
    i32 7, label %b7
    i32 8, label %b8
    i32 9, label %b9
    i32 10, label %b10
    i32 11, label %b11
    i32 12, label %b12 ]
; repeat 12
b$i:
  call void @heddle.barrier(i32 0, i32 0)
  br label %rest
; end
rest:
  %x0 = load i32, ptr addrspace(1) %q
; repeat 200
  %x$i = mul i32 %x$p, %x0
; end
  store i32 %x200, ptr addrspace(1) %q
  ret void
}
