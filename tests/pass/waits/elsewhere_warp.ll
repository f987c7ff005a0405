; SPDX-License-Identifier: Apache-2.0
; expect: fires
; set: width=8 block=64
; The same with waits for the whole warp, where the mask in divided code may name all of it.
; CHECK: block join: whole
; CHECK: block end: whole
declare i32 @heddle.tid.x()
declare void @heddle.warp.sync(i32)
define void @k(i32 %mask) {
entry:
  %x = call i32 @heddle.tid.x()
  %b = and i32 %x, 1
  %odd = icmp eq i32 %b, 1
  br i1 %odd, label %first, label %join
first:
  call void @heddle.warp.sync(i32 %mask)
  br label %join
join:
  call void @heddle.warp.sync(i32 -1)
  br label %end
end:
  call void @heddle.warp.sync(i32 -1)
  ret void
}
