# bash completion for pqc, made by `pqc generate`; needs bash 4.
_pqc_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# The words after the last comma.
_pqc_list() {
    local head=
    [[ $cur == *,* ]] && head=${cur%,*},
    mapfile -t COMPREPLY < <(compgen -P "$head" -W "$1" -- "${cur##*,}")
}

_pqc_folders() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}

_pqc_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(
        if [[ -n $1 && -n $(compgen -f -X "!*$1" -- "$cur") ]]; then
            compgen -f -X "!*$1" -- "$cur"
            compgen -d -- "$cur"
        else
            compgen -f -- "$cur"
        fi
    )
}

_pqc() {
    local cur=$2 previous=$3 command= skip= i
    COMPREPLY=()
    # bash makes three words of --option=value.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case $skip${COMP_WORDS[i]} in
            --isa|--color) skip=skip: ;;
            skip:=) ;;
            skip:*) skip= ;;
            keygen|sign|verify|encaps|decaps|list|inspect|convert|passwd|selftest|bench)
                command=${COMP_WORDS[i]}
                break
                ;;
        esac
    done
    case $command,$previous in
        ,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        ,--color) _pqc_words 'auto always never'; return ;;
        keygen,--alg) _pqc_words 'falcon512 falcon1024 mlkem512 mlkem768 mlkem1024 kyber512 kyber768 kyber1024 kyber512-90s kyber768-90s kyber1024-90s ntruhps2048509 ntruhps2048677 ntruhps4096821 ntruhps40961229 ntruhrss701 ntruhrss1373'; return ;;
        keygen,--output|keygen,-o) _pqc_files ''; return ;;
        keygen,--count) :; return ;;
        keygen,--jobs|keygen,-j) :; return ;;
        keygen,--password-file) _pqc_files ''; return ;;
        keygen,--password-env) :; return ;;
        keygen,--sampler) _pqc_words 'shuffle sort'; return ;;
        keygen,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        keygen,--color) _pqc_words 'auto always never'; return ;;
        sign,--files-from) _pqc_files ''; return ;;
        sign,--jobs|sign,-j) :; return ;;
        sign,--key|sign,-k) _pqc_files .key; return ;;
        sign,--password-file) _pqc_files ''; return ;;
        sign,--password-env) :; return ;;
        sign,--output|sign,-o) _pqc_files ''; return ;;
        sign,--sig-dir) _pqc_folders; return ;;
        sign,--format) _pqc_words 'pem raw'; return ;;
        sign,--encoding) _pqc_words 'padded compressed'; return ;;
        sign,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        sign,--color) _pqc_words 'auto always never'; return ;;
        verify,--files-from) _pqc_files ''; return ;;
        verify,--jobs|verify,-j) :; return ;;
        verify,--public-key|verify,-p) _pqc_files .pub; return ;;
        verify,--signature|verify,-s) _pqc_files .sig; return ;;
        verify,--sig-dir) _pqc_folders; return ;;
        verify,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        verify,--color) _pqc_words 'auto always never'; return ;;
        encaps,--public-key|encaps,-p) _pqc_files .pub; return ;;
        encaps,--output|encaps,-o) _pqc_files ''; return ;;
        encaps,--secret-out) _pqc_files ''; return ;;
        encaps,--format) _pqc_words 'pem raw'; return ;;
        encaps,--sampler) _pqc_words 'shuffle sort'; return ;;
        encaps,--encode) _pqc_words 'base64 hex'; return ;;
        encaps,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        encaps,--color) _pqc_words 'auto always never'; return ;;
        decaps,--key|decaps,-k) _pqc_files .key; return ;;
        decaps,--password-file) _pqc_files ''; return ;;
        decaps,--password-env) :; return ;;
        decaps,--secret-out) _pqc_files ''; return ;;
        decaps,--format) _pqc_words 'pem raw'; return ;;
        decaps,--encode) _pqc_words 'base64 hex'; return ;;
        decaps,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        decaps,--color) _pqc_words 'auto always never'; return ;;
        list,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        list,--color) _pqc_words 'auto always never'; return ;;
        inspect,--alg) _pqc_words 'falcon512 falcon1024 mlkem512 mlkem768 mlkem1024 kyber512 kyber768 kyber1024 kyber512-90s kyber768-90s kyber1024-90s ntruhps2048509 ntruhps2048677 ntruhps4096821 ntruhps40961229 ntruhrss701 ntruhrss1373'; return ;;
        inspect,--password-file) _pqc_files ''; return ;;
        inspect,--password-env) :; return ;;
        inspect,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        inspect,--color) _pqc_words 'auto always never'; return ;;
        convert,--output|convert,-o) _pqc_files ''; return ;;
        convert,--layout) _pqc_words 'oqs bouncycastle seed expanded both bare-seed bare'; return ;;
        convert,--encoding) _pqc_words 'padded compressed'; return ;;
        convert,--alg) _pqc_words 'falcon512 falcon1024 mlkem512 mlkem768 mlkem1024 kyber512 kyber768 kyber1024 kyber512-90s kyber768-90s kyber1024-90s ntruhps2048509 ntruhps2048677 ntruhps4096821 ntruhps40961229 ntruhrss701 ntruhrss1373'; return ;;
        convert,--oid) :; return ;;
        convert,--public-key|convert,-p) _pqc_files .pub; return ;;
        convert,--password-file) _pqc_files ''; return ;;
        convert,--password-env) :; return ;;
        convert,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        convert,--color) _pqc_words 'auto always never'; return ;;
        passwd,--password-file) _pqc_files ''; return ;;
        passwd,--password-env) :; return ;;
        passwd,--new-password-file) _pqc_files ''; return ;;
        passwd,--new-password-env) :; return ;;
        passwd,--isa) _pqc_words 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv'; return ;;
        passwd,--color) _pqc_words 'auto always never'; return ;;
        selftest,--isa) _pqc_list 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv all'; return ;;
        selftest,--color) _pqc_words 'auto always never'; return ;;
        bench,--alg) _pqc_list 'falcon512 falcon1024 mlkem512 mlkem768 mlkem1024 kyber512 kyber768 kyber1024 kyber512-90s kyber768-90s kyber1024-90s ntruhps2048509 ntruhps2048677 ntruhps4096821 ntruhps40961229 ntruhrss701 ntruhrss1373 all'; return ;;
        bench,--op) _pqc_list 'keygen sign sign-kept sign-core sign-batch verify verify-kept encaps encaps-kept encaps-core decaps decaps-kept keygen-batch encaps-batch decaps-batch keygen-sort encaps-sort all'; return ;;
        bench,--seconds) :; return ;;
        bench,--threads) :; return ;;
        bench,--batch) :; return ;;
        bench,--message-bytes) :; return ;;
        bench,--seed) :; return ;;
        bench,--plot) _pqc_files ''; return ;;
        bench,--compare) _pqc_files ''; return ;;
        bench,--isa) _pqc_list 'auto soft rv64im scalar sse2 avx2-base avx2 avx512f-base avx512f neon-base neon rvv all'; return ;;
        bench,--color) _pqc_words 'auto always never'; return ;;
    esac
    case $command in
        '')
            if [[ $cur == -* ]]; then
                _pqc_words '--isa --quiet -q --verbose -v --color --version -V --help -h'
            else
                _pqc_words 'keygen sign verify encaps decaps list inspect convert passwd selftest bench'
            fi
            ;;
        keygen)
            if [[ $cur == -* ]]; then
                _pqc_words '--alg --output -o --count --jobs -j --password --password-file --password-env --sampler --force --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            fi
            ;;
        sign)
            if [[ $cur == -* ]]; then
                _pqc_words '--files-from --null -0 --jobs -j --key -k --password-file --password-env --output -o --sig-dir --format --encoding --with-key --force --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            else
                _pqc_files ''
            fi
            ;;
        verify)
            if [[ $cur == -* ]]; then
                _pqc_words '--files-from --null -0 --jobs -j --public-key -p --signature -s --sig-dir --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            else
                _pqc_files ''
            fi
            ;;
        encaps)
            if [[ $cur == -* ]]; then
                _pqc_words '--public-key -p --output -o --secret-out --format --sampler --encode --force --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            fi
            ;;
        decaps)
            if [[ $cur == -* ]]; then
                _pqc_words '--key -k --password-file --password-env --secret-out --format --encode --force --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            else
                _pqc_files ''
            fi
            ;;
        list)
            if [[ $cur == -* ]]; then
                _pqc_words '--json --isa --quiet -q --verbose -v --color --version -V --help -h'
            fi
            ;;
        inspect)
            if [[ $cur == -* ]]; then
                _pqc_words '--public --alg --password --password-file --password-env --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            else
                _pqc_files ''
            fi
            ;;
        convert)
            if [[ $cur == -* ]]; then
                _pqc_words '--output -o --layout --encoding --public --pem --der --raw --alg --oid --public-key -p --password-file --password-env --unprotected --force --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            else
                _pqc_files ''
            fi
            ;;
        passwd)
            if [[ $cur == -* ]]; then
                _pqc_words '--password-file --password-env --new-password-file --new-password-env --remove --json --isa --quiet -q --verbose -v --color --version -V --help -h'
            else
                _pqc_files .key
            fi
            ;;
        selftest)
            if [[ $cur == -* ]]; then
                _pqc_words '--json --isa --quiet -q --verbose -v --color --version -V --help -h'
            fi
            ;;
        bench)
            if [[ $cur == -* ]]; then
                _pqc_words '--alg --op --seconds --threads --batch --message-bytes --seed --isolated --stages --claims --cite --json --csv --plot --compare --force --isa --quiet -q --verbose -v --color --version -V --help -h'
            fi
            ;;
    esac
}

complete -F _pqc pqc
