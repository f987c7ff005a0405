; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: block=64
; after: shapes
; cpu: haswell
; Lanes at constant distances: offsets from one base, read and written by one operation for four lanes.
; CHECK: define {{.*}}@k.full.0(
; CHECK: asm "vmovss 0($1), $0{{.*}}vinsertps $$16, 68($1), $0, $0
; CHECK: asm "vmovss $0, 0($1){{.*}}vextractps $$3, $0, 204($1)
; CHECK-NOT: insertelement
; CHECK: memory(argmem: read)
; CHECK: memory(argmem: write)
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  %e = zext nneg i32 %x to i64
  %o = mul nuw nsw i64 %e, 68
  %q = inttoptr i64 %o to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %q, align 4
  %b = add i64 %o, 65536
  %r = inttoptr i64 %b to ptr addrspace(1)
  store float %v, ptr addrspace(1) %r, align 4
  ret i32 0
}
