; SPDX-License-Identifier: Apache-2.0
; expect: fires
; The count of the shift is not known to LLVM's code generator.
; CHECK: [[COUNT:%[0-9]+]] = call i64 asm "", "=r,0"(i64 32)
; CHECK: [[ALL:%[0-9]+]] = shufflevector <8 x i64>
; CHECK: lshr <8 x i64> %m, [[ALL]]
define <8 x i16> @k.full.0(<8 x i8> %a) {
  %x = sext <8 x i8> %a to <8 x i64>
  %m = mul nsw <8 x i64> %x, %x
  %h = lshr <8 x i64> %m, splat (i64 32)
  %t = trunc <8 x i64> %h to <8 x i16>
  ret <8 x i16> %t
}
