; PTX: shfl.sync.down
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.membar.cta()
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare void @llvm.nvvm.nanosleep(i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
define ptx_kernel void @warps(ptr %p, i32 %v, float %f) {
  %a = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 1, i32 31)
  %b = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %f, i32 0, i32 31)
  %c = icmp sgt i32 %a, 0
  %d = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
  %e = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %c)
  %g = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %d)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void @llvm.nvvm.membar.cta()
  call void @llvm.nvvm.membar.gl()
  call void @llvm.nvvm.nanosleep(i32 100)
  %h = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %i = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %j = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %k = call i32 @llvm.nvvm.barrier0.popc(i32 %h)
  %l = add i32 %g, %i
  %m = add i32 %l, %k
  %n = select i1 %e, i32 %m, i32 0
  store i32 %n, ptr %p
  store i64 %j, ptr %p
  store float %b, ptr %p
  ret void
}
