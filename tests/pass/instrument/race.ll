; SPDX-License-Identifier: Apache-2.0
; expect: partly
; set: check=4
; racecheck is told of shared and global memory with what is stored, of synchronisation, and behind a strong load of what it may have
; acquired; of constants it is not.
; CHECK: call void @heddle.rt.check.access(i64 %{{.*}}, i64 0, i32 {{.*}}, i64 %{{.*}})
; CHECK: store i32 %x, ptr addrspace(3)
; CHECK: call void @heddle.rt.check.sync(i32 0, i32 0)
; CHECK: call void @heddle.barrier(i32 0, i32 0)
; CHECK: call void @heddle.rt.check.sync(i32 1, i32 0)
; CHECK: call void @heddle.rt.check.access(i64 %{{.*}}, i64 0, i32 {{.*}}, i64 %{{.*}})
; CHECK: store i32 %x, ptr addrspace(1)
; CHECK: call void @heddle.rt.check.access(i64 %{{.*}}, i64 0, i32 {{.*}}, i64 0)
; CHECK: load volatile i32, ptr addrspace(1)
; CHECK: call void @heddle.rt.check.access(i64 %{{.*}}, i64 0, i32 {{.*}}, i64 0)
; CHECK-NOT: call void @heddle.rt.check.access
; CHECK: ret void
declare ptr addrspace(3) @heddle.shared()
declare void @heddle.barrier(i32, i32)
define void @k(i32 %x, i64 %any) {
  %s = call ptr addrspace(3) @heddle.shared()
  store i32 %x, ptr addrspace(3) %s, align 4
  call void @heddle.barrier(i32 0, i32 0)
  %q = inttoptr i64 %any to ptr addrspace(1)
  store i32 %x, ptr addrspace(1) %q, align 4
  %flag = load volatile i32, ptr addrspace(1) %q, align 4
  %c = inttoptr i64 %any to ptr addrspace(4)
  %one = load volatile i32, ptr addrspace(4) %c, align 4
  ret void
}
