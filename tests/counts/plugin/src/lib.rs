//! A plugin for qemu's user emulation: instructions between two markers, by kind.
//!
//! A program marks a region by two instructions that no processor acts on (`guest/src/markers.rs`); at the end of each
//! region one line goes to the file `out=FILE`, and the codes of all instructions of the last region to `trace=FILE`. The functions of qemu that are declared here are those of its plugin
//! interface, version 1 (qemu 6 to 8); the header is not needed. What counts as a vector instruction: [`decode`].

mod decode;
mod qemu;

use decode::{Architecture, Instruction, Marker};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::io::Write;
use std::ptr::{null_mut, write_volatile};
use std::sync::OnceLock;

/// Version of the interface that this is written for; qemu looks for the name.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static qemu_plugin_version: c_int = 1;

/// What is counted. Emulated code and callbacks add to it, from one thread: a guest with more would lose counts.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Counts {
    instructions: u64,
    vector: u64,
    vector_loads: u64,
    vector_stores: u64,
    bytes_read: u64,
    bytes_written: u64,
}

static mut COUNTS: Counts =
    Counts { instructions: 0, vector: 0, vector_loads: 0, vector_stores: 0, bytes_read: 0, bytes_written: 0 };

/// The codes of a region so far, where a trace is asked for.
static mut TRACE: Vec<u32> = Vec::new();

struct Setup {
    architecture: Architecture,
    out: File,
    trace: Option<String>,
}

static SETUP: OnceLock<Setup> = OnceLock::new();

/// Called by qemu when it loads the plugin.
///
/// # Safety
/// qemu's: `info` begins with the target's name, `argv` has `argc` strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: u64,
    info: *const *const c_char,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    // SAFETY: the contract.
    let name = unsafe { CStr::from_ptr(*info) }.to_string_lossy();
    let Some(architecture) = Architecture::from_name(&name) else {
        eprintln!("counts: no decoder for {name}");
        return -1;
    };
    let argument = |name: &str| {
        (0..argc as usize).find_map(|i| {
            // SAFETY: the contract.
            let argument = unsafe { CStr::from_ptr(*argv.add(i)) }.to_string_lossy();
            argument.strip_prefix(name).map(str::to_owned)
        })
    };
    let Some(path) = argument("out=") else {
        eprintln!("counts: out=FILE is missing");
        return -1;
    };
    match File::create(&path) {
        Ok(out) => drop(SETUP.set(Setup { architecture, out, trace: argument("trace=") })),
        Err(error) => {
            eprintln!("counts: {path}: {error}");
            return -1;
        }
    }
    // SAFETY: the callback has the type that qemu expects.
    unsafe { qemu::qemu_plugin_register_vcpu_tb_trans_cb(id, translated) };
    0
}

/// Called once for each block of code, before it first runs.
unsafe extern "C" fn translated(_id: u64, block: *mut qemu::Block) {
    let Some(setup) = SETUP.get() else { return };
    // SAFETY: qemu's block and its instructions are valid during this call; the counters live forever.
    unsafe {
        let add = |instruction, counter: *mut u64| {
            qemu::qemu_plugin_register_vcpu_insn_exec_inline(instruction, qemu::ADD, counter.cast(), 1);
        };
        for i in 0..qemu::qemu_plugin_tb_n_insns(block) {
            let instruction = qemu::qemu_plugin_tb_get_insn(block, i);
            let mut bytes = [0; 4];
            let len = qemu::qemu_plugin_insn_size(instruction).min(4);
            let data = qemu::qemu_plugin_insn_data(instruction).cast::<u8>();
            data.copy_to_nonoverlapping(bytes.as_mut_ptr(), len);
            let code = u32::from_le_bytes(bytes);
            if let Some(marker) = setup.architecture.marker(code) {
                let callback = match marker {
                    Marker::Begin => begin,
                    Marker::End => end,
                };
                qemu::qemu_plugin_register_vcpu_insn_exec_cb(
                    instruction,
                    callback,
                    qemu::NO_REGISTERS,
                    null_mut(),
                );
                continue;
            }
            if setup.trace.is_some() {
                let code = std::ptr::without_provenance_mut(code as usize);
                qemu::qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, qemu::NO_REGISTERS, code);
            }
            let counts = &raw mut COUNTS;
            add(instruction, &raw mut (*counts).instructions);
            let Instruction { vector, load, store } = setup.architecture.decode(code);
            if vector {
                add(instruction, &raw mut (*counts).vector);
            }
            if vector && load {
                add(instruction, &raw mut (*counts).vector_loads);
            }
            if vector && store {
                add(instruction, &raw mut (*counts).vector_stores);
            }
            if load || store {
                qemu::qemu_plugin_register_vcpu_mem_cb(
                    instruction,
                    accessed,
                    qemu::NO_REGISTERS,
                    qemu::READS_AND_WRITES,
                    null_mut(),
                );
            }
        }
    }
}

unsafe extern "C" fn begin(_cpu: c_uint, _: *mut c_void) {
    // SAFETY: one thread.
    unsafe {
        write_volatile(&raw mut COUNTS, Counts::default());
        (*(&raw mut TRACE)).clear();
    }
}

/// Called for each instruction, where a trace is asked for.
unsafe extern "C" fn executed(_cpu: c_uint, code: *mut c_void) {
    // SAFETY: one thread.
    unsafe { (*(&raw mut TRACE)).push(code.addr() as u32) }
}

unsafe extern "C" fn end(_cpu: c_uint, _: *mut c_void) {
    // SAFETY: one thread.
    let counts = unsafe { (&raw const COUNTS).read_volatile() };
    let Counts { instructions, vector, vector_loads, vector_stores, bytes_read, bytes_written } = counts;
    if let Some(Setup { out, trace, .. }) = SETUP.get() {
        let mut out = out;
        let line =
            format!("{instructions} {vector} {vector_loads} {vector_stores} {bytes_read} {bytes_written}\n");
        if let Err(error) = out.write_all(line.as_bytes()) {
            eprintln!("counts: {error}");
        }
        if let Some(path) = trace {
            // SAFETY: one thread.
            let codes = unsafe { &*(&raw const TRACE) };
            let lines: String = codes.iter().map(|code| format!("{code:08x}\n")).collect();
            if let Err(error) = std::fs::write(path, lines) {
                eprintln!("counts: {path}: {error}");
            }
        }
    }
}

/// Called for each access to memory; a vector makes several.
unsafe extern "C" fn accessed(_cpu: c_uint, info: u32, _address: u64, _: *mut c_void) {
    // SAFETY: `info` is qemu's; one thread.
    unsafe {
        let bytes = 1 << qemu::qemu_plugin_mem_size_shift(info);
        if qemu::qemu_plugin_mem_is_store(info) {
            COUNTS.bytes_written += bytes;
        } else {
            COUNTS.bytes_read += bytes;
        }
    }
}
