; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=16,16
; A load must not be made by threads that the first test keeps away: the address may be invalid for them.
; CHECK: remark merge_guards: k, block next: stays: this may not run, or takes too long, where the first test keeps threads away
; CHECK: marked 0
; CHECK: next:
; CHECK-NEXT: %v = load i32, ptr addrspace(1) %p
declare i32 @heddle.tid.x()
declare i32 @heddle.tid.y()
declare ptr addrspace(4) @heddle.args()
define void @k(ptr addrspace(1) %p) {
entry:
  %x = call i32 @heddle.tid.x()
  %first = icmp slt i32 %x, 10
  br i1 %first, label %next, label %out
next:
  %v = load i32, ptr addrspace(1) %p
  %y = call i32 @heddle.tid.y()
  %s = add i32 %y, %v
  %second = icmp slt i32 %s, 10
  br i1 %second, label %body, label %out
body:
  store i32 %x, ptr addrspace(1) %p
  br label %out
out:
  ret void
}
