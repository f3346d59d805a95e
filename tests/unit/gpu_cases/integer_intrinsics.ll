declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
declare i1 @llvm.expect.i1(i1, i1)
declare i1 @llvm.is.constant.i32(i32)
declare void @llvm.assume(i1)
declare <2 x i32> @llvm.smin.v2i32(<2 x i32>, <2 x i32>)
declare i8 @llvm.scmp.i8.i32(i32, i32)
define ptx_kernel void @integer_intrinsics(ptr %p, i32 %a, i32 %b, i64 %w) {
  %c = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %d = call i64 @llvm.umin.i64(i64 %w, i64 100)
  %e = call i32 @llvm.abs.i32(i32 %c, i1 false)
  %f = call i32 @llvm.usub.sat.i32(i32 %e, i32 %b)
  %g = call i32 @llvm.uadd.sat.i32(i32 %f, i32 %a)
  %n8 = trunc i32 %g to i8
  %h = call i8 @llvm.sadd.sat.i8(i8 %n8, i8 100)
  %i = call i64 @llvm.ssub.sat.i64(i64 %d, i64 %w)
  %j = call i32 @llvm.ctpop.i32(i32 %g)
  %k = call i64 @llvm.ctlz.i64(i64 %i, i1 false)
  %l = call i32 @llvm.cttz.i32(i32 %j, i1 true)
  %m = call i32 @llvm.bitreverse.i32(i32 %l)
  %n = call i32 @llvm.bswap.i32(i32 %m)
  %o = call i32 @llvm.fshl.i32(i32 %n, i32 %a, i32 5)
  %q = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %o, i32 %a)
  %r = extractvalue { i32, i1 } %q, 1
  %s = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %k, i64 %w)
  %t = extractvalue { i64, i1 } %s, 0
  %u = call i1 @llvm.expect.i1(i1 %r, i1 false)
  %known = call i1 @llvm.is.constant.i32(i32 %a)
  %v = call i8 @llvm.scmp.i8.i32(i32 %a, i32 %b)
  %in = icmp slt i32 %a, 1000
  call void @llvm.assume(i1 %in)
  %two = load <2 x i32>, ptr %p
  %low = call <2 x i32> @llvm.smin.v2i32(<2 x i32> %two, <2 x i32> <i32 5, i32 6>)
  store <2 x i32> %low, ptr %p
  %x = select i1 %u, i8 %h, i8 %v
  %y = select i1 %known, i8 1, i8 %x
  store i8 %y, ptr %p
  store i64 %t, ptr %p
  ret void
}
