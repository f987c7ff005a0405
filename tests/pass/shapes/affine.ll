; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: block=64
; CHECK: shape b: uniform
; CHECK: shape x: affine
; CHECK: shape o: affine
; CHECK: shape v: varying
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %b = call i32 @heddle.ctaid.x()
  %x = call i32 @heddle.tid.x()
  %o = shl i32 %x, 2
  %e = zext i32 %o to i64
  %p = inttoptr i64 %e to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(1) null
  ret i32 0
}
