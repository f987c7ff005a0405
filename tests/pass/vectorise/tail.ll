; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64 width=16
; after: shapes
; cpu: neoverse-v1
; The end of a row: scalars tell that some lane goes on and, behind the iteration under a mask, that none does; a gather passes over registers
; in which there is no lane.
; CHECK: define {{.*}}@k.full.0(
; CHECK: loopall:
; CHECK: ask:
; CHECK: quarter:
; CHECK: vote:
declare i32 @heddle.tid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
entry:
  %args = call ptr addrspace(4) @heddle.args()
  %base = load i64, ptr addrspace(4) %args, align 8, !invariant.load !0
  %bound = getelementptr i8, ptr addrspace(4) %args, i64 8
  %n = load i32, ptr addrspace(4) %bound, align 4, !invariant.load !0
  %x = call i32 @heddle.tid.x()
  %from = inttoptr i64 %base to ptr addrspace(1)
  br label %loop
loop:
  %k = phi i32 [ %x, %entry ], [ %up, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %wide = sext i32 %k to i64
  %o = shl i64 %wide, 2
  %at = add i64 %base, %o
  %q = inttoptr i64 %at to ptr addrspace(1)
  %i = load i32, ptr addrspace(1) %q, align 4
  %iw = sext i32 %i to i64
  %io = shl i64 %iw, 2
  %ia = add i64 %base, %io
  %p = inttoptr i64 %ia to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %up = add i32 %k, 16
  %go = icmp slt i32 %up, %n
  br i1 %go, label %loop, label %out
out:
  %end = phi float [ %more, %loop ]
  %xw = zext i32 %x to i64
  %xo = shl i64 %xw, 2
  %xa = add i64 %base, %xo
  %r = inttoptr i64 %xa to ptr addrspace(1)
  store float %end, ptr addrspace(1) %r, align 4
  ret i32 0
}
!0 = !{}
