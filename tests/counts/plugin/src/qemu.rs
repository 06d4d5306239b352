//! The part of qemu's plugin interface that is used. The functions are in the emulator that loads the plugin.

use std::ffi::{c_int, c_uint, c_void};

/// A block of translated code.
#[repr(C)]
pub struct Block {
    _opaque: [u8; 0],
}

/// An instruction of a block.
#[repr(C)]
pub struct Insn {
    _opaque: [u8; 0],
}

/// The inline operation: adds to a 64-bit counter.
pub const ADD: c_int = 0;
/// The callback reads no register of the guest.
pub const NO_REGISTERS: c_int = 0;
/// Which accesses to memory are told.
pub const READS_AND_WRITES: c_int = 3;

unsafe extern "C" {
    pub fn qemu_plugin_register_vcpu_tb_trans_cb(id: u64, callback: unsafe extern "C" fn(u64, *mut Block));
    pub fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    pub fn qemu_plugin_tb_get_insn(block: *const Block, index: usize) -> *mut Insn;
    pub fn qemu_plugin_insn_data(insn: *const Insn) -> *const c_void;
    pub fn qemu_plugin_insn_size(insn: *const Insn) -> usize;
    pub fn qemu_plugin_register_vcpu_insn_exec_inline(
        insn: *mut Insn,
        op: c_int,
        counter: *mut c_void,
        imm: u64,
    );
    pub fn qemu_plugin_register_vcpu_insn_exec_cb(
        insn: *mut Insn,
        callback: unsafe extern "C" fn(c_uint, *mut c_void),
        flags: c_int,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_mem_cb(
        insn: *mut Insn,
        callback: unsafe extern "C" fn(c_uint, u32, u64, *mut c_void),
        flags: c_int,
        accesses: c_int,
        data: *mut c_void,
    );
    pub fn qemu_plugin_mem_size_shift(info: u32) -> c_uint;
    pub fn qemu_plugin_mem_is_store(info: u32) -> bool;
}
