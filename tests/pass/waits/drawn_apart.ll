; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=32 block=64
; What lanes that wait apart load from one address may differ: another thread may write it in between. The branch on it divides them.
; CHECK: block some:{{$}}
; CHECK-NOT: block end: together whole
declare i32 @heddle.tid.x()
declare void @heddle.barrier(i32, i32)
declare void @heddle.yield()
define void @k(ptr addrspace(1) %p, ptr addrspace(3) %s) {
entry:
  %x = call i32 @heddle.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %x
  br label %spin
spin:
  call void @heddle.yield()
  %v = load volatile i32, ptr addrspace(1) %a
  %c = icmp eq i32 %v, 0
  br i1 %c, label %spin, label %out
out:
  %n = load i32, ptr addrspace(3) %s
  %d = icmp slt i32 %n, 3
  br i1 %d, label %some, label %end
some:
  call void @heddle.yield()
  br label %end
end:
  call void @heddle.barrier(i32 0, i32 0)
  ret void
}
