; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 width=1 stacks
; after: waits resume_points
; In a function that stays a call too, a thread waits within a call.
; CHECK: define internal void @f(
; CHECK: call void @heddle.rt.pause(i32
; CHECK-NOT: heddle.barrier(i32 0
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define internal void @f(i32 %n) {
entry:
  call void @heddle.barrier(i32 0, i32 0)
  %m = sub i32 %n, 1
  %c = icmp eq i32 %m, 0
  br i1 %c, label %out, label %again
again:
  call void @f(i32 %m)
  br label %out
out:
  ret void
}
define void @k() {
  call void @f(i32 3)
  ret void
}
