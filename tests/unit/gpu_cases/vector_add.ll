; PTX: .entry vector_add
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @vector_add(ptr noalias readonly %a, ptr noalias nocapture %b,
        ptr noalias %c, i64 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %block, %width
  %i32 = add i32 %base, %tid
  %i = zext nneg i32 %i32 to i64
  %in = icmp slt i64 %i, %n
  br i1 %in, label %body, label %exit
body:
  %pa = getelementptr inbounds double, ptr %a, i64 %i
  %pb = getelementptr inbounds double, ptr %b, i64 %i
  %pc = getelementptr inbounds double, ptr %c, i64 %i
  %x = load double, ptr %pa, align 8
  %y = load double, ptr %pb, align 8
  %z = fadd double %x, %y
  store double %z, ptr %pc, align 8
  br label %exit
exit:
  ret void
}
