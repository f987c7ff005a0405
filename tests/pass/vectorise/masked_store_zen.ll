; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: znver3
; AMD has that instruction in microcode: all lanes are tested to be active first.
; CHECK: define {{.*}}@k.full.0(
; CHECK: store <8 x i32>
; CHECK-NOT: llvm.masked.store
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
entry:
  %x = call i32 @heddle.tid.x()
  %e = zext i32 %x to i64
  %o = shl i64 %e, 2
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
