; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; A function that stays a call reads memory, behind a fence of the loop.
; CHECK: define void @k(
; CHECK: call void @heddle.yield()
define internal i32 @f(ptr addrspace(1) %p, i32 %n) {
entry:
  %v = load i8, ptr addrspace(1) %p, align 1
  %w = zext i8 %v to i32
  %c = icmp eq i32 %n, 0
  br i1 %c, label %out, label %again
again:
  %m = sub i32 %n, 1
  %r = call i32 @f(ptr addrspace(1) %p, i32 %m)
  %s = add i32 %r, %w
  br label %out
out:
  %x = phi i32 [ %w, %entry ], [ %s, %again ]
  ret i32 %x
}
define void @k(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  fence seq_cst
  %v = call i32 @f(ptr addrspace(1) %p, i32 3)
  %wait = icmp eq i32 %v, 0
  br i1 %wait, label %loop, label %out
out:
  ret void
}
