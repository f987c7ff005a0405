; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=16,16
; Where the two tests bring different values to the block behind, they are not one test.
; CHECK: remark merge_guards: k, block next: stays: the two tests bring different values to where they lead
; CHECK: marked 0
; CHECK: next:
; CHECK-NEXT: %y = call i32 @heddle.tid.y()
declare i32 @heddle.tid.x()
declare i32 @heddle.tid.y()
declare ptr addrspace(4) @heddle.args()
define void @k(ptr addrspace(1) %p) {
entry:
  %x = call i32 @heddle.tid.x()
  %first = icmp slt i32 %x, 10
  br i1 %first, label %next, label %out
next:
  %y = call i32 @heddle.tid.y()
  %second = icmp slt i32 %y, 10
  br i1 %second, label %body, label %out
body:
  br label %out
out:
  %v = phi i32 [ 1, %entry ], [ 2, %next ], [ 3, %body ]
  store i32 %v, ptr addrspace(1) %p
  ret void
}
