; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: waits resume_points
; What is a little arithmetic on the thread's number is computed again, and takes no slot.
; CHECK: slots 0
; CHECK: define {{.*}}i32 @k.region.1()
; CHECK: call i32 @heddle.tid.x()
; CHECK-NOT: call i32 @heddle.frame.get
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k() {
  %x = call i32 @heddle.tid.x()
  %v = add i32 %x, 3
  store i32 %v, ptr addrspace(1) null
  call void @heddle.barrier(i32 0, i32 0)
  store i32 %v, ptr addrspace(1) null
  ret void
}
