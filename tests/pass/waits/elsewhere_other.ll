; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64
; A barrier in divided code of another number, and one at which a warp stands as a whole (.aligned), bring nobody to this one: it
; gathers the lanes.
; CHECK: block join: whole
; CHECK: block some: together whole
; CHECK: block end: together whole
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
define void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @heddle.tid.x()
  %b = and i32 %x, 1
  %odd = icmp eq i32 %b, 1
  br i1 %odd, label %first, label %join
first:
  call void @heddle.barrier(i32 1, i32 0)
  call void @heddle.barrier(i32 0, i32 0), !heddle.aligned !0
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
!0 = !{}
