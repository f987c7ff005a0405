; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: waits resume_points
; Two regions, and what lives across the barrier goes through a slot of the frame.
; CHECK: region 0: start
; CHECK: region 1: barrier
; CHECK: slots 1
; CHECK: define {{.*}}i32 @k.region.0()
; CHECK: call void @heddle.frame.set.i32(i32 0, i32
; CHECK: define {{.*}}i32 @k.region.1()
; CHECK: call i32 @heddle.frame.get.i32(i32 0)
; CHECK-NOT: define void @k(
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k() {
  %v = load i32, ptr addrspace(1) null
  call void @heddle.barrier(i32 0, i32 0)
  store i32 %v, ptr addrspace(1) null
  ret void
}
