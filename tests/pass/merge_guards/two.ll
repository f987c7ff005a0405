; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=16,16
; What computes the second test moves up to the first.
; CHECK: remark merge_guards: k, block next: one test with the one before: 2 instructions move up
; CHECK: marked 1
; CHECK: entry:
; CHECK: [[SECOND:%[0-9]+]] = icmp slt i32 {{%[0-9]+}}, 10
; CHECK-NEXT: br i1 %first, label %next, label %out
; CHECK: next:
; CHECK-NEXT: br i1 [[SECOND]], label %body, label %out
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
  store i32 %x, ptr addrspace(1) %p
  br label %out
out:
  ret void
}
