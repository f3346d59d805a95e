@table = internal addrspace(4) constant [4 x double] [double 1.0, double 2.0, double 3.0,
    double 4.0], align 16
@text = private unnamed_addr constant [4 x i8] c"a\22\0A\00", align 1
@dynamic = external addrspace(3) global [0 x i8], align 16
@inner = internal addrspace(1) global i32 7, align 4
@outer = internal addrspace(1) constant ptr addrspace(1) getelementptr (i8, ptr addrspace(1)
    @inner, i64 0), align 8
declare void @llvm.memcpy.p0.p4.i64(ptr, ptr addrspace(4), i64, i1)
declare void @llvm.memset.p3.i32(ptr addrspace(3), i8, i32, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare i32 @vprintf(ptr, ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
define ptx_kernel void @memory_intrinsics(ptr %p, i64 %n) {
  %local = alloca [4 x double], align 16
  call void @llvm.lifetime.start.p0(i64 32, ptr %local)
  call void @llvm.memcpy.p0.p4.i64(ptr align 16 %local, ptr addrspace(4) align 16 @table, i64 32,
      i1 false)
  call void @llvm.memset.p3.i32(ptr addrspace(3) @dynamic, i8 0, i32 128, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %local, i64 %n, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %local, i64 16, i1 false)
  %aligned = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  %r = call i32 @vprintf(ptr @text, ptr %aligned)
  store i32 %r, ptr %p
  %o = load ptr addrspace(1), ptr addrspace(1) @outer
  %v = load i32, ptr addrspace(1) %o
  store i32 %v, ptr %p
  ret void
}
