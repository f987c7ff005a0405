; SPDX-License-Identifier: Apache-2.0
; expect: fails
; What LLVM cannot assemble is an error of the compilation, not of the process.
; CHECK: failed
define i32 @k.entry(ptr %launch, ptr %block, i64 %count) {
  call void asm sideeffect "no such instruction", ""()
  ret i32 0
}
