; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Behind a branch on the thread's number the lanes of a gang are not all there; behind the barrier they are together again.
; CHECK: block entry: together whole
; CHECK: block some: together{{$}}
; CHECK: block out: together whole
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p) {
entry:
  %x = call i32 @heddle.tid.x()
  %c = icmp slt i32 %x, 3
  br i1 %c, label %some, label %out
some:
  store i32 %x, ptr addrspace(1) %p
  br label %out
out:
  call void @heddle.barrier(i32 0, i32 0)
  ret void
}
