; PTX: globaltimer_lo
define ptx_kernel void @assembly(ptr %p) {
  %a = call i32 asm sideeffect "mov.u32 $0, %globaltimer_lo;", "=r"()
  %b = call { i32, i32 } asm "{ mov.b32 $0, $2; // \22quoted\22\0A mov.b32 $1, $2; }", "=r,=r,r"(i32 %a)
  %c = extractvalue { i32, i32 } %b, 1
  call void asm sideeffect "bar.sync $0;", "n,~{memory}"(i32 0) convergent
  store i32 %c, ptr %p
  ret void
}
