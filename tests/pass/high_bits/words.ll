; SPDX-License-Identifier: Apache-2.0
; expect: declines
; The high half of a product of words stays 32 bits; a shift by fewer bits than 32, or of what is no product, is right.
; CHECK-NOT: asm
; CHECK: ret
define <8 x i32> @k.full.0(<8 x i32> %a, <8 x i64> %b, ptr %p) {
  %x = sext <8 x i32> %a to <8 x i64>
  %m = mul nsw <8 x i64> %x, %x
  %h = lshr <8 x i64> %m, splat (i64 32)
  %t = trunc <8 x i64> %h to <8 x i32>
  %l = lshr <8 x i64> %m, splat (i64 24)
  %u = trunc <8 x i64> %l to <8 x i16>
  %n = lshr <8 x i64> %b, splat (i64 40)
  %v = trunc <8 x i64> %n to <8 x i16>
  %w = add <8 x i16> %u, %v
  store <8 x i16> %w, ptr %p
  ret <8 x i32> %t
}
