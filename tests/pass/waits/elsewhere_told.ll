; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=8 block=64
; Lanes that are one barrier apart are told different things at one place: the branch on that divides them.
; CHECK: block join: whole
; CHECK: block some:
; CHECK-NOT: block some: whole
; CHECK: block end: whole
declare i32 @heddle.tid.x()
declare i32 @heddle.barrier.red.popc(i32, i32, i1)
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @heddle.tid.x()
  %b = and i32 %x, 1
  %odd = icmp eq i32 %b, 1
  br i1 %odd, label %first, label %join
first:
  %t = call i32 @heddle.barrier.red.popc(i32 0, i32 0, i1 true)
  br label %join
join:
  %u = call i32 @heddle.barrier.red.popc(i32 0, i32 0, i1 %odd)
  %d = icmp slt i32 %u, 3
  br i1 %d, label %some, label %end
some:
  call void @heddle.barrier(i32 0, i32 0)
  br label %end
end:
  call void @heddle.barrier(i32 0, i32 0)
  ret void
}
