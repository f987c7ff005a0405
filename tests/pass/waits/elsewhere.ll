; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64
; Odd lanes wait at a barrier first, where they meet the even ones of the barrier behind it: the lanes are one barrier apart from then on,
; though no branch divides them.
; CHECK: block join: whole
; CHECK: block some: whole
; CHECK: block end: whole
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @heddle.tid.x()
  %b = and i32 %x, 1
  %odd = icmp eq i32 %b, 1
  br i1 %odd, label %first, label %join
first:
  call void @heddle.barrier(i32 0, i32 0)
  br label %join
join:
  call void @heddle.barrier(i32 0, i32 0)
  %d = icmp slt i32 %n, 3
  br i1 %d, label %some, label %end
some:
  call void @heddle.barrier(i32 0, i32 0)
  br label %end
end:
  call void @heddle.barrier(i32 0, i32 0)
  ret void
}
