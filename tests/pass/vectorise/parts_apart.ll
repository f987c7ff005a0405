; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: width=16 block=64
; after: shapes
; cpu: neoverse-v1
; Lanes apart from each other have no registers in common: one access a lane.
; CHECK: define {{.*}}@k.full.0(
; CHECK: store i32
; CHECK-NOT: @gang.store
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
entry:
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 4
  %q = inttoptr i64 %o to ptr addrspace(1)
  %i = load i32, ptr addrspace(1) %q, align 4
  %c = icmp sgt i32 %i, 7
  br i1 %c, label %then, label %done
then:
  store i32 %x, ptr addrspace(1) %q, align 4
  br label %done
done:
  ret i32 0
}
