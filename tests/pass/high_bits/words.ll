; SPDX-License-Identifier: Apache-2.0
; expect: declines
; The high half of a product of words stays 32 bits; a shift by 16 bits, of a product by a number of more, of one of 32 bits, or of what is none, is right.
; CHECK-NOT: asm
; CHECK: ret
define <8 x i32> @k.full.0(<8 x i32> %a, <8 x i64> %b, ptr %p) {
  %x = sext <8 x i32> %a to <8 x i64>
  %m = mul nsw <8 x i64> %x, %x
  %h = lshr <8 x i64> %m, splat (i64 32)
  %t = trunc <8 x i64> %h to <8 x i32>
  %l = lshr <8 x i64> %m, splat (i64 16)
  %u = trunc <8 x i64> %l to <8 x i16>
  %n = lshr <8 x i64> %b, splat (i64 40)
  %v = trunc <8 x i64> %n to <8 x i16>
  %w = add <8 x i16> %u, %v
  %o = mul <8 x i64> %x, splat (i64 3435973837)
  %q = lshr <8 x i64> %o, splat (i64 35)
  %r = trunc <8 x i64> %q to <8 x i16>
  %y = mul <8 x i32> %a, %a
  %z = ashr <8 x i32> %y, splat (i32 20)
  %c = trunc <8 x i32> %z to <8 x i16>
  %d = add <8 x i16> %r, %c
  %e = add <8 x i16> %w, %d
  store <8 x i16> %e, ptr %p
  ret <8 x i32> %t
}
