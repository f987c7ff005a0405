; SPDX-License-Identifier: Apache-2.0
; expect: fails
; set: block=64 check=1
; Code that is checked has no such threads.
; CHECK: failed {{.*}}barrier in the recursive function 'f', in code that is checked
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
