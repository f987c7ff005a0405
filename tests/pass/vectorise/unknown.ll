; SPDX-License-Identifier: Apache-2.0
; expect: fails
; set: block=64
; after: shapes
; What has no gang form is reported by name.
; CHECK: failed {{.*}}vectoriser:{{.*}}asm
declare i32 @heddle.tid.x()
declare i32 @heddle.ctaid.x()
declare ptr addrspace(4) @heddle.args()
define i32 @k.region.0() {
  %x = call i32 @heddle.tid.x()
  call void asm sideeffect "nop", ""()
  ret i32 0
}
