# Reads `objdump -d -C --no-show-raw-insn` of one program; -v arch=x86_64|aarch64|riscv64, -v guard=NAME, for the
# guard `division` also -v allowed=FILE. Prints each finding as `FUNCTION: instruction`, then one line
# `looked at N functions, M instructions, F findings`; exit code 1 where there is a finding or nothing to look at.
#
#   fused      no fused multiply-add anywhere: one rounding fewer gives other bits, and other bits reveal keys
#   division   no integer division in the engine: its time depends on its operands
#   outlined   no call of an intrinsic, or of a backend's function on registers: one that was not inlined is 6 to 20
#              times slower
#   softfloat  no floating-point arithmetic where doubles are emulated; moves, memory accesses and changes of the sign
#              bit (which the compiler makes of an exclusive or) are none

# The number that hex digits spell; awk has no such function everywhere.
function hex(digits,    i, value) {
    value = 0
    for (i = 1; i <= length(digits); i++) value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
    return value
}

# The name of a fused vector instruction that the disassembler left as a word: vector code inside a program whose own
# architecture has no vectors. OP-V, OPFVV or OPFVF, funct6 from vfmadd to vfnmsac and from vfwmacc to vfwnmsac.
function riscv_vector(word,    value, funct3, funct6) {
    value = hex(word)
    funct3 = int(value / 4096) % 8
    funct6 = int(value / 67108864)
    if (value % 128 != 87 || (funct3 != 1 && funct3 != 5)) return ".4byte"
    if (funct6 >= 40 && funct6 <= 47 || funct6 >= 60) return "vfmacc." (funct3 == 1 ? "vv" : "vf")
    return "vfvector"
}

BEGIN {
    if (arch == "x86_64") {
        fused = "^vfn?m(add|sub|addsub|subadd)"
        division = "^i?div[bwlq]?$"
        call = "^(call|jmp)"
        arithmetic = "^v?((add|sub|mul|div|sqrt|min|max|round|hadd|hsub|addsub|rcp|rsqrt|u?comi|cmp[a-z_]*|fn?m[a-z]*[0-9]*)[sp][sd]|cvt[a-z]*[sp][sd]2[a-z0-9]+|cvt[a-z]*2[sp][sd]|f(add|sub|mul|div|sqrt|ild|ist)[a-z]*)$"
    } else if (arch == "aarch64") {
        fused = "^(fn?m(add|sub|la|ls|ad|sb|lal2?|lsl2?)|fcmla|bfmla.*|bfmmla|fmmla)$"
        division = "^[us]div$"
        call = "^(bl|b)$"
        arithmetic = "^([us]cvtf|f(n?m[a-z]+|add|sub|div|sqrt|neg|abs|abd|addp|max[a-z]*|min[a-z]*|c[a-z]+|rint[a-z0-9]*|recp[a-z]*|rsqrt[a-z]*|csel))$"
        arithmetic_not = "^f(csel|mov|neg|abs)$"
    } else if (arch == "riscv64") {
        fused = "^(fn?m(add|sub)\\.[hsdq]|vfw?n?m(acc|sac|add|sub)\\.v[vf])$"
        division = "^(div|rem)u?w?$"
        call = "^(jal|jalr|j|jr|call|tail)$"
        arithmetic = "^(f[a-z]+(\\.[a-z]+)*|vf[a-z]+(\\.[a-z]+)*)$"
        arithmetic_not = "^(fence(\\.i|\\.tso)?|f[ls][wd](sp)?|fmv\\.(x\\.[wd]|[wd]\\.x|[sd])|f(neg|abs|sgnjx?n?)\\.[sd])$"
    } else {
        print "unknown architecture: " arch
        failed = 1
        exit
    }
    engine = "pqc::"
    if (guard == "fused") { scope = "."; pattern = fused }
    else if (guard == "division") { scope = engine; pattern = division }
    else if (guard == "outlined") { scope = "."; pattern = call }
    else if (guard == "softfloat") { scope = "simd::(soft::)?Soft"; pattern = arithmetic }
    else { print "unknown guard: " guard; failed = 1; exit }
    while (allowed != "" && (getline line < allowed) > 0) {
        if (line !~ /^#/ && line != "") { split(line, part, "\t"); most[part[1]] = part[2]; why[part[1]] = part[3] }
    }
}

/^[0-9a-f]+ <.*>:$/ {
    name = $0
    sub(/^[0-9a-f]+ </, "", name)
    sub(/>:$/, "", name)
    inside = name ~ scope
    if (inside) functions++
    if (name ~ /Token>::enter/) entered++
    next
}

inside && /^ *[0-9a-f]+:\t/ {
    instruction = $0
    sub(/^ *[0-9a-f]+:\t/, "", instruction)
    gsub(/[ \t]+/, " ", instruction)
    mnemonic = instruction
    sub(/ .*/, "", mnemonic)
    sub(/^c\./, "", mnemonic)
    # A prefix stands where the mnemonic should.
    if (mnemonic ~ /^(lock|rep|repz|repnz|bnd|notrack|data16|cs|ds)$/) {
        mnemonic = instruction
        sub(/^[a-z0-9]+ +/, "", mnemonic)
        sub(/ .*/, "", mnemonic)
    }
    if (arch == "riscv64" && mnemonic == ".4byte") {
        mnemonic = riscv_vector(substr(instruction, length(".4byte 0x") + 1))
        instruction = instruction " (" mnemonic ")"
    }
    instructions++
    if (mnemonic !~ pattern) next
    if (guard == "softfloat" && arithmetic_not != "" && mnemonic ~ arithmetic_not) next
    if (guard == "outlined" && (instruction !~ / <(<?core::core_arch::|pqc::(simd|symmetric::lanes)::(sse2|avx2|avx512|neon)::[a-z])/ || instruction ~ /_xgetbv|__cpuid/)) next
    if (guard == "division") {
        for (key in most) if (name ~ key && excused[name, key] < most[key]) { excused[name, key]++; total[key]++; next }
    }
    findings++
    if (findings <= 20) print "    " name ": " instruction
}

END {
    if (failed) exit 1
    printf "%s: looked at %d functions, %d instructions, %d findings\n", guard, functions, instructions, findings
    for (key in total) printf "    %d allowed in %s: %s\n", total[key], key, why[key]
    if (instructions == 0) { print "    nothing to look at: the guard proves nothing"; exit 1 }
    if (guard == "outlined" && !entered) { print "    no Token>::enter in this program: the names are not as the guard expects"; exit 1 }
    exit findings > 0
}
