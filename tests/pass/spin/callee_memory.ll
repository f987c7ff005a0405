; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A function that stays a call looks, and leaves what it found in memory.
; CHECK: define void @k(
; CHECK: call void @heddle.yield()
define internal i32 @f(ptr addrspace(1) %p, ptr %answer, i32 %n) {
entry:
  %v = load volatile i32, ptr addrspace(1) %p, align 4
  store i32 %v, ptr %answer, align 4
  %c = icmp eq i32 %n, 0
  br i1 %c, label %out, label %again
again:
  %m = sub i32 %n, 1
  %r = call i32 @f(ptr addrspace(1) %p, ptr %answer, i32 %m)
  br label %out
out:
  ret i32 %n
}
define void @k(ptr addrspace(1) %p) {
entry:
  %answer = alloca i32, align 4
  br label %loop
loop:
  %r = call i32 @f(ptr addrspace(1) %p, ptr %answer, i32 3)
  %v = load i32, ptr %answer, align 4
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %loop, label %out
out:
  ret void
}
