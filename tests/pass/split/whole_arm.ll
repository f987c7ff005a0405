; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64
; after: waits resume_points
; A barrier in divided code may meet the one behind it: lanes of a gang may stand at either.
; CHECK: region 0: start whole
; CHECK: region 1: barrier{{$}}
; CHECK: region 2: barrier{{$}}
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k() {
entry:
  %x = call i32 @heddle.tid.x()
  %c = icmp slt i32 %x, 3
  br i1 %c, label %some, label %out
some:
  call void @heddle.barrier(i32 0, i32 0)
  br label %out
out:
  call void @heddle.barrier(i32 0, i32 0)
  store i32 1, ptr addrspace(1) null
  ret void
}
