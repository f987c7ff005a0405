; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; A function that stays a call and reads what nobody else writes meanwhile: that its address is checked is no look at other threads.
; CHECK: br i1 %wait, label %loop, label %out
declare void @heddle.rt.misaligned(i64)
define internal i32 @f(ptr addrspace(1) %p, i32 %n) {
entry:
  %at = ptrtoint ptr addrspace(1) %p to i64
  %low = and i64 %at, 3
  call void @heddle.rt.misaligned(i64 %low)
  %v = load i32, ptr addrspace(1) %p, align 4
  %c = icmp eq i32 %n, 0
  br i1 %c, label %out, label %again
again:
  %m = sub i32 %n, 1
  %r = call i32 @f(ptr addrspace(1) %p, i32 %m)
  %s = add i32 %r, %v
  br label %out
out:
  %x = phi i32 [ %v, %entry ], [ %s, %again ]
  ret i32 %x
}
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %v, %loop ]
  %v = call i32 @f(ptr addrspace(1) %p, i32 %i)
  %wait = icmp ne i32 %v, 0
  br i1 %wait, label %loop, label %out
out:
  ret void
}
