; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; after: waits resume_points
; An address with more operands than the copies of resume/split.c hold (LIVE_OPERANDS) is not computed again: it takes a slot.
; CHECK: slots 1
; CHECK: define {{.*}}i32 @k.region.0()
; CHECK: getelementptr {{.*}}i64 1, i64 1, i64 1, i64 1
; CHECK: call void @heddle.frame.set
; CHECK: define {{.*}}i32 @k.region.1()
; CHECK-NOT: getelementptr
; CHECK: heddle.frame.get
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k() {
  %tid = call i32 @heddle.tid.x()
  %x = zext i32 %tid to i64
  %p = getelementptr [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x [2 x i32]]]]]]]]]]]]]]]]], ptr addrspace(1) null, i64 0, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 %x
  store i32 1, ptr addrspace(1) %p
  call void @heddle.barrier(i32 0, i32 0)
  store i32 2, ptr addrspace(1) %p
  ret void
}
