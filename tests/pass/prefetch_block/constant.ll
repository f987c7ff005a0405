; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: block=64
; The rows are named by constant memory, which is not there for the blocks that the guard keeps away.
; CHECK: remark prefetch_block: k: nothing: 0 accesses by rows
; CHECK-NOT: @heddle.ctaid.next
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
  %entries = add i64 %len, %bl
  %entry.of = inttoptr i64 %entries to ptr addrspace(4)
  call void @heddle.barrier(i32 0, i32 0)
  %guarded = icmp slt i32 %b, 4
  br i1 %guarded, label %some, label %end
some:
  %number = load i64, ptr addrspace(4) %entry.of, align 8, !invariant.load !0
  %row = mul i64 %number, %len
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
  store i32 %v0, ptr addrspace(1) %p3
  br label %end
end:
  ret void
}
!0 = !{}
