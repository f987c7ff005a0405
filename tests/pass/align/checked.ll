; SPDX-License-Identifier: Apache-2.0
; expect: declines
; set: checked
; The variant for arguments that do not hold it keeps the check.
; CHECK: remark align: k, k.region.0, block 0: a check stays: what the address is made of is not known to be aligned
; CHECK: call void @heddle.rt.misaligned(i64 %low)
declare void @heddle.rt.misaligned(i64)
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %args = call ptr addrspace(4) @heddle.args()
  %q = getelementptr i8, ptr addrspace(4) %args, i64 8
  %p = load i64, ptr addrspace(4) %q, align 8, !invariant.load !0
  %low = and i64 %p, 3
  call void @heddle.rt.misaligned(i64 %low)
  ret i32 0
}
!0 = !{}
