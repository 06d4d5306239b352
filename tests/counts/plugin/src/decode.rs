//! Which instructions are vector instructions, loads, stores and markers.
//!
//! AArch64: Arm ARM, C4.1 (encoding groups by bits 28:25). RISC-V: unprivileged specification, base opcodes and the
//! quadrants of the compressed instructions; vector extension 1.0, sections 5 and 7.

/// The architectures of the guests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    Aarch64,
    Riscv64,
}

/// The two markers of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    Begin,
    End,
}

/// What is counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instruction {
    /// Works on vector registers. AArch64: Advanced SIMD and SVE, without scalar floating point; of the loads and
    /// stores those of `q` registers and of structures (SVE's are not told apart). RISC-V: the vector extension, `vsetvl` too.
    pub vector: bool,
    pub load: bool,
    pub store: bool,
}

impl Architecture {
    /// qemu's name of the target.
    pub fn from_name(name: &str) -> Option<Architecture> {
        match name {
            "aarch64" => Some(Architecture::Aarch64),
            "riscv64" => Some(Architecture::Riscv64),
            _ => None,
        }
    }

    /// `hint #0x50` and `hint #0x51`; `slti x0, x0, 0x50` and `slti x0, x0, 0x51`.
    pub fn marker(self, code: u32) -> Option<Marker> {
        let number = match self {
            Architecture::Aarch64 if code & 0xFFFF_F01F == 0xD503_201F => code >> 5 & 0x7F,
            Architecture::Riscv64 if code & 0xF_FFFF == 0x2013 => code >> 20,
            _ => return None,
        };
        match number {
            0x50 => Some(Marker::Begin),
            0x51 => Some(Marker::End),
            _ => None,
        }
    }

    pub fn decode(self, code: u32) -> Instruction {
        match self {
            Architecture::Aarch64 => aarch64(code),
            Architecture::Riscv64 if code & 3 == 3 => riscv64(code),
            Architecture::Riscv64 => compressed(code as u16),
        }
    }
}

fn aarch64(code: u32) -> Instruction {
    let group = code >> 25 & 0xF;
    // Loads and stores: x1x0.
    if group & 0b0101 == 0b0100 {
        let (simd, size, opc) = (code >> 26 & 1 == 1, code >> 30, code >> 22 & 3);
        let kind = code >> 27 & 7;
        return match kind {
            // Structures of vectors.
            0b001 if simd && code >> 31 == 0 => {
                let load = code >> 22 & 1 == 1;
                Instruction { vector: true, load, store: !load }
            }
            // A literal; of those with three registers, `size` is the width.
            0b011 => Instruction { vector: simd && size == 2, load: true, store: false },
            // Pairs.
            0b101 => {
                let load = code >> 22 & 1 == 1;
                Instruction { vector: simd && size == 2, load, store: !load }
            }
            // One register: opc 1x is 128 bits of a vector register, or a sign-extending load.
            0b111 if simd => {
                Instruction { vector: size == 0 && opc >= 2, load: opc & 1 == 1, store: opc & 1 == 0 }
            }
            0b111 => Instruction { vector: false, load: opc != 0, store: opc == 0 },
            // Exclusive and ordered.
            _ => {
                let load = code >> 22 & 1 == 1;
                Instruction { vector: false, load, store: !load }
            }
        };
    }
    if group == 0b0010 {
        return Instruction { vector: true, load: false, store: false };
    }
    // Floating point of one value has bit 30 clear and bits 28:25 all set.
    let simd_or_fp = group & 0b0111 == 0b0111;
    let one_value = code >> 30 & 1 == 0 && group == 0b1111;
    Instruction { vector: simd_or_fp && !one_value, load: false, store: false }
}

fn riscv64(code: u32) -> Instruction {
    // Loads and stores of floating point have the widths 1 to 4, those of vectors the others.
    let of_vector = !(1..=4).contains(&(code >> 12 & 7));
    let (vector, load, store) = match code & 0x7F {
        0x03 => (false, true, false),
        0x07 => (of_vector, true, false),
        0x23 => (false, false, true),
        0x27 => (of_vector, false, true),
        0x2F => (false, true, true),
        0x57 => (true, false, false),
        _ => (false, false, false),
    };
    Instruction { vector, load, store }
}

fn compressed(code: u16) -> Instruction {
    let (quadrant, function) = (code & 3, code >> 13);
    let memory = quadrant == 0 || quadrant == 2;
    Instruction {
        vector: false,
        load: memory && (1..=3).contains(&function),
        store: memory && (5..=7).contains(&function),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn kind(vector: bool, load: bool, store: bool) -> Instruction {
        Instruction { vector, load, store }
    }

    /// Opcodes as the GNU assembler gives them.
    #[test]
    fn instructions_of_aarch64() {
        let decode = |code| Architecture::Aarch64.decode(code);
        assert_eq!(decode(0x8B02_0020), kind(false, false, false), "add x0, x1, x2");
        assert_eq!(decode(0xF940_0020), kind(false, true, false), "ldr x0, [x1]");
        assert_eq!(decode(0xF900_0020), kind(false, false, true), "str x0, [x1]");
        assert_eq!(decode(0xB980_0020), kind(false, true, false), "ldrsw x0, [x1]");
        assert_eq!(decode(0xA940_0440), kind(false, true, false), "ldp x0, x1, [x2]");
        assert_eq!(decode(0xFD40_0020), kind(false, true, false), "ldr d0, [x1]");
        assert_eq!(decode(0x3DC0_0020), kind(true, true, false), "ldr q0, [x1]");
        assert_eq!(decode(0x3D80_0020), kind(true, false, true), "str q0, [x1]");
        assert_eq!(decode(0xAD40_0440), kind(true, true, false), "ldp q0, q1, [x2]");
        assert_eq!(decode(0xAD00_0440), kind(true, false, true), "stp q0, q1, [x2]");
        assert_eq!(decode(0x6D40_0440), kind(false, true, false), "ldp d0, d1, [x2]");
        assert_eq!(decode(0x4CDF_7820), kind(true, true, false), "ld1 of one register");
        assert_eq!(decode(0x4C00_7820), kind(true, false, true), "st1 of one register");
        assert_eq!(decode(0x4EA2_8420), kind(true, false, false), "add v0.4s, v1.4s, v2.4s");
        assert_eq!(decode(0x4E62_D420), kind(true, false, false), "fadd v0.2d, v1.2d, v2.2d");
        assert_eq!(decode(0x1E62_2820), kind(false, false, false), "fadd d0, d1, d2");
        assert_eq!(decode(0x9E62_0020), kind(false, false, false), "scvtf d0, x1");
        assert_eq!(decode(0x0420_0000), kind(true, false, false), "add z0.b, z0.b, z0.b");
        assert_eq!(Architecture::Aarch64.marker(0xD503_2A1F), Some(Marker::Begin), "hint #0x50");
        assert_eq!(Architecture::Aarch64.marker(0xD503_2A3F), Some(Marker::End), "hint #0x51");
        assert_eq!(Architecture::Aarch64.marker(0xD503_201F), None, "nop");
    }

    #[test]
    fn instructions_of_riscv64() {
        let decode = |code| Architecture::Riscv64.decode(code);
        assert_eq!(decode(0x00C5_8533), kind(false, false, false), "add a0, a1, a2");
        assert_eq!(decode(0x0005_B503), kind(false, true, false), "ld a0, 0(a1)");
        assert_eq!(decode(0x00A5_B023), kind(false, false, true), "sd a0, 0(a1)");
        assert_eq!(decode(0x0005_B507), kind(false, true, false), "fld fa0, 0(a1)");
        assert_eq!(decode(0x0205_7407), kind(true, true, false), "vle64.v v8, (a0)");
        assert_eq!(decode(0x0205_7427), kind(true, false, true), "vse64.v v8, (a0)");
        assert_eq!(decode(0x0285_0407), kind(true, true, false), "vl1re8.v v8, (a0)");
        assert_eq!(decode(0x02C4_0457), kind(true, false, false), "vadd.vv v8, v12, v8");
        assert_eq!(decode(0x0DB0_7557), kind(true, false, false), "vsetvli a0, zero, e64, m8, ta, ma");
        assert_eq!(decode(0x6188), kind(false, true, false), "c.ld a0, 0(a1)");
        assert_eq!(decode(0xE188), kind(false, false, true), "c.sd a0, 0(a1)");
        assert_eq!(decode(0x6502), kind(false, true, false), "c.ldsp a0, 0(sp)");
        assert_eq!(decode(0x852E), kind(false, false, false), "c.mv a0, a1");
        assert_eq!(Architecture::Riscv64.marker(0x0500_2013), Some(Marker::Begin), "slti x0, x0, 0x50");
        assert_eq!(Architecture::Riscv64.marker(0x0510_2013), Some(Marker::End), "slti x0, x0, 0x51");
        assert_eq!(Architecture::Riscv64.marker(0x0000_0013), None, "nop");
    }
}
