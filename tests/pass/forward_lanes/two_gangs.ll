; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=16
; after: waits
; The block has two gangs, which wait for each other.
; CHECK: remark forward_lanes: k: nothing: no barrier that a block of one gang passes without waiting
; CHECK: passed 0
; CHECK: %v = load i32
; CHECK-NOT: heddle.forward
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare ptr addrspace(3) @heddle.shared()
define void @k() {
entry:
  %s = call ptr addrspace(3) @heddle.shared()
  %t = call i32 @heddle.tid.x()
  %o = shl i32 %t, 2
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %up, %loop ]
  %row = shl i32 %i, 6
  %at = add i32 %o, %row
  %before = add i32 %at, -68
  %q = getelementptr i8, ptr addrspace(3) %s, i32 %before
  %v = load i32, ptr addrspace(3) %q
  %w = add i32 %v, 1
  %p = getelementptr i8, ptr addrspace(3) %s, i32 %at
  store i32 %w, ptr addrspace(3) %p
  
  call void @heddle.barrier(i32 0, i32 0)
  %up = add i32 %i, 1
  %more = icmp slt i32 %up, 16
  br i1 %more, label %loop, label %out
out:
  ret void
}
