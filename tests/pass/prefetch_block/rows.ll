; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; Behind the barrier the block asks for the rows that the next one will touch.
; CHECK: remark prefetch_block: k, block entry: 4 lines of the next block are prefetched
; CHECK: call void @heddle.barrier(i32 0, i32 0)
; CHECK: call i32 @heddle.ctaid.next()
; CHECK: call void @heddle.prefetch
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
declare void @heddle.barrier(i32, i32)
define void @k() {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %base = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %len = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %b = call i32 @heddle.ctaid.x()
  %bl = sext i32 %b to i64
  %row = mul i64 %bl, %len
  %col = sext i32 %x to i64
  %o = add i64 %row, %col
  %at = add i64 %base, %o
  %p0 = inttoptr i64 %at to ptr addrspace(1)
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4096
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 8192
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 12288
  %v0 = load i32, ptr addrspace(1) %p0
  %v1 = load i32, ptr addrspace(1) %p1
  %v2 = load i32, ptr addrspace(1) %p2
  call void @heddle.barrier(i32 0, i32 0)
  store i32 %v0, ptr addrspace(1) %p3
  ret void
}
!0 = !{}
