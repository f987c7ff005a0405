; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64
; after: waits resume_points
; Lanes that wait in a loop, each for its own, come to the barrier at different times, and all enter what is behind it.
; CHECK: region 0: start whole
; CHECK: region 1: yield{{$}}
; CHECK: region 2: barrier whole
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare void @heddle.yield()
define void @k() {
entry:
  %x = call i32 @heddle.tid.x()
  %a = getelementptr i32, ptr addrspace(1) null, i32 %x
  br label %spin
spin:
  call void @heddle.yield()
  %v = load volatile i32, ptr addrspace(1) %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %spin, label %out
out:
  call void @heddle.barrier(i32 0, i32 0)
  store i32 1, ptr addrspace(1) null
  ret void
}
