; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: waits resume_points
; Barriers in arms of a switch, and each leads to the same long rest, behind a branch that divides the gang. Lanes that waited in
; divided code count as diverged from there on, so a cut takes nothing away.
; CHECK: points 32
declare void @heddle.barrier(i32, i32)
declare i32 @heddle.tid.x()
define void @k(ptr addrspace(1) %q) {
entry:
  %t = call i32 @heddle.tid.x()
  %odd = and i32 %t, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %arm, label %out
arm:
  %at = getelementptr i32, ptr addrspace(1) %q, i32 %t
  %n = load i32, ptr addrspace(1) %at
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
    i32 12, label %b12
    i32 13, label %b13
    i32 14, label %b14
    i32 15, label %b15
    i32 16, label %b16
    i32 17, label %b17
    i32 18, label %b18
    i32 19, label %b19
    i32 20, label %b20
    i32 21, label %b21
    i32 22, label %b22
    i32 23, label %b23
    i32 24, label %b24
    i32 25, label %b25
    i32 26, label %b26
    i32 27, label %b27
    i32 28, label %b28
    i32 29, label %b29
    i32 30, label %b30 ]
; repeat 30
b$i:
  call void @heddle.barrier(i32 0, i32 0)
  br label %rest
; end
rest:
  %x0 = load i32, ptr addrspace(1) %at
; repeat 400
  %x$i = mul i32 %x$p, %x0
; end
  store i32 %x400, ptr addrspace(1) %at
  br label %out
out:
  call void @heddle.barrier(i32 0, i32 0)
  ret void
}
