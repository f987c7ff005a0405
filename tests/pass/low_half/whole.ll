; SPDX-License-Identifier: Apache-2.0
; expect: declines
; No lower half is cut out: of one number the mask reaches further, of the other all bits are used, and the third comes out of no vector.
; CHECK: %m = and i64 %e, 34359738367
; CHECK: %s = add i64 %m, %f
define i64 @k.full.0(<2 x i64> %x, i64 %z) {
  %e = extractelement <2 x i64> %x, i64 0
  %f = extractelement <2 x i64> %x, i64 1
  %m = and i64 %e, 34359738367
  %n = and i64 %z, 7
  %s = add i64 %m, %f
  %t = add i64 %s, %n
  ret i64 %t
}
