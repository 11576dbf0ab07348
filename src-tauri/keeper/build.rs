//! Links the unwinder statically into the keeper, if the toolchain has it as an archive (GNU on
//! Linux).
//!
//! Loading and initializing `libgcc_s.so` costs each keeper about a tenth of its processor time,
//! half of it for CPUID queries that a virtual machine answers slowly. The whole archive is linked
//! because the standard library names the shared library first: definitions within the program win,
//! and the shared library is dropped as unneeded.

fn main() {
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-Wl,--whole-archive,-lgcc_eh,--no-whole-archive");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
