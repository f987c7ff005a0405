; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 width=1 stacks
; after: waits resume_points
; A thread that has a stack of its own waits within a call: nothing is cut, and the state is that of the resume point.
; CHECK: points 0
; CHECK: %v = load i32
; CHECK: call void @heddle.rt.pause(i32 -2147483647)
; CHECK-NOT: heddle.resume(
; CHECK: store i32 %v
declare void @heddle.barrier(i32, i32)
define void @k() {
  %v = load i32, ptr addrspace(1) null
  call void @heddle.barrier(i32 0, i32 0)
  store i32 %v, ptr addrspace(1) null
  ret void
}
