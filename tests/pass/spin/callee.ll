; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Functions that stay calls wait too; and a loop may wait for what such a function looks at.
; CHECK: define internal i32 @f(
; CHECK: call void @heddle.yield()
; CHECK: define void @k(
; CHECK: call void @heddle.yield()
define internal i32 @f(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr addrspace(1) %p, align 4
  %wait = icmp eq i32 %v, %n
  br i1 %wait, label %loop, label %out
out:
  %m = sub i32 %n, 1
  %r = call i32 @f(ptr addrspace(1) %p, i32 %m)
  ret i32 %r
}
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %v = call i32 @f(ptr addrspace(1) %p, i32 3)
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %loop, label %out
out:
  ret void
}
