# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_pqc_global_optspecs
    string join \n isa= q/quiet v/verbose color= V/version h/help
end

function __fish_pqc_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_pqc_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_pqc_using_subcommand
    set -l cmd (__fish_pqc_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c pqc -n "__fish_pqc_needs_command" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_needs_command" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_needs_command" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_needs_command" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_needs_command" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "keygen" -d 'Make a key pair: NAME.key (private) and NAME.pub'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "sign" -d 'Sign files: writes FILE.sig beside each FILE'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "verify" -d 'Check signatures: one line a file'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "encaps" -d 'Make a shared secret and the ciphertext that takes it to the owner of a key'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "decaps" -d 'Take the shared secret out of a ciphertext'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "list" -d 'Show the algorithms and the backends'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "inspect" -d 'Say what a key, signature or ciphertext file is'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "convert" -d 'Write a key or signature in another layout or format'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "passwd" -d 'Set, change or remove the password of a private key'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "selftest" -d 'Test this build on this processor: known answers, equal backends, refusals'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "bench" -d 'Measure the algorithms'
complete -c pqc -n "__fish_pqc_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l alg -d 'Algorithm, for example falcon512 or mlkem768; pqc list shows all' -r -f -a "falcon512\t''
falcon1024\t''
mlkem512\t''
mlkem768\t''
mlkem1024\t''
kyber512\t''
kyber768\t''
kyber1024\t''
kyber512-90s\t''
kyber768-90s\t''
kyber1024-90s\t''
ntruhps2048509\t''
ntruhps2048677\t''
ntruhps4096821\t''
ntruhps40961229\t''
ntruhrss701\t''
ntruhrss1373\t''"
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -s o -l output -d 'Write NAME.key and NAME.pub instead of using the key home' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l count -d 'Make N pairs: NAME-000001.key, NAME-000001.pub and so on' -r
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -s j -l jobs -d 'Threads for --count; 0 is one for each processor' -r
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l password-file -d 'File with the password of the private key (one line end is left out); - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l password-env -d 'Variable of the environment with the password of the private key' -r
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l sampler -d 'How NTRU-HPS draws polynomials of a fixed weight' -r -f -a "shuffle\t'Drawn without replacement, in linear time, exactly uniform (the default)'
sort\t'Random keys sorted by a network, as submitted to NIST: slower, and gives its known answers'"
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l password -d 'Protect NAME.key by a password that is asked for'
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l force -d 'Replace NAME.pub if it exists (never NAME.key)'
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand keygen" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l files-from -d 'Read names of further files from LIST, one a line; - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s j -l jobs -d 'Threads for many files; 0 is one for each processor' -r
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s k -l key -d 'Private key to sign with; - is standard input' -r -k -a "(__fish_complete_suffix .key)"
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l password-file -d 'File with the password of the private key (one line end is left out); - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l password-env -d 'Variable of the environment with the password of the private key' -r
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s o -l output -d 'Where the signature goes, for one FILE; - is standard output' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l sig-dir -d 'Folder for the signatures, instead of beside each FILE' -r -f -a "(__fish_complete_directories)"
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l format -d 'File format: pem names algorithm and key, raw is the bare signature as other programs take it' -r -f -a "pem\t'A PEM block that names algorithm and key'
raw\t'The algorithm\'s own bytes and nothing else'"
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l encoding -d 'Spelling of the signature: padded has a fixed length (666 or 1280 bytes)' -r -f -a "padded\t'Fixed length'
compressed\t'As short as possible'"
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s 0 -l null -d 'The names in LIST end with a zero byte, as find -print0 writes them'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l with-key -d 'Put the public key into the signature'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l force -d 'Replace signatures that exist'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand sign" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand verify" -l files-from -d 'Read names of further files from LIST, one a line; - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s j -l jobs -d 'Threads for many files; 0 is one for each processor' -r
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s p -l public-key -d 'Public key file, or sha256:FINGERPRINT' -r -k -a "(__fish_complete_suffix .pub)"
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s s -l signature -d 'The signature, for one FILE; - is standard input' -r -k -a "(__fish_complete_suffix .sig)"
complete -c pqc -n "__fish_pqc_using_subcommand verify" -l sig-dir -d 'Folder of the signatures, instead of beside each FILE' -r -f -a "(__fish_complete_directories)"
complete -c pqc -n "__fish_pqc_using_subcommand verify" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand verify" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s 0 -l null -d 'The names in LIST end with a zero byte, as find -print0 writes them'
complete -c pqc -n "__fish_pqc_using_subcommand verify" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -s p -l public-key -d 'Public key file, or sha256:FINGERPRINT; - is standard input' -r -k -a "(__fish_complete_suffix .pub)"
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -s o -l output -d 'Where the ciphertext goes; without it, or with -, standard output' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l secret-out -d 'Where the secret goes, a file with mode 0600; - is standard output, if that is a pipe' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l format -d 'Format of the ciphertext: pem names algorithm and key, raw is the bare ciphertext as other programs take it' -r -f -a "pem\t'A PEM block that names algorithm and key'
raw\t'The algorithm\'s own bytes and nothing else'"
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l sampler -d 'How NTRU-HPS draws the message, a polynomial of a fixed weight; decaps sees no difference' -r -f -a "shuffle\t'Drawn without replacement, in linear time, exactly uniform (the default)'
sort\t'Random keys sorted by a network, as submitted to NIST: slower, and gives its known answers'"
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l encode -d 'Write the secret as text instead of as 32 bytes' -r -f -a "base64\t'One line of base64'
hex\t'One line of hexadecimal digits'"
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l force -d 'Replace outputs that exist (never a private key)'
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand encaps" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -s k -l key -d 'Private key to decapsulate with; - is standard input' -r -k -a "(__fish_complete_suffix .key)"
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l password-file -d 'File with the password of the private key (one line end is left out); - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l password-env -d 'Variable of the environment with the password of the private key' -r
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l secret-out -d 'Where the secret goes, a file with mode 0600; without it, or with -, standard output, if that is a pipe' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l format -d 'Format of the ciphertext: raw is the bare ciphertext of other programs, in which nothing tells a wrong key' -r -f -a "pem\t'A PEM block that names algorithm and key'
raw\t'The algorithm\'s own bytes and nothing else'"
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l encode -d 'Write the secret as text instead of as 32 bytes' -r -f -a "base64\t'One line of base64'
hex\t'One line of hexadecimal digits'"
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l force -d 'Replace the file of --secret-out if it exists (never a private key)'
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand decaps" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand list" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand list" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand list" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand list" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand list" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand list" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l alg -d 'Algorithm of a key that is raw bytes' -r -f -a "falcon512\t''
falcon1024\t''
mlkem512\t''
mlkem768\t''
mlkem1024\t''
kyber512\t''
kyber768\t''
kyber1024\t''
kyber512-90s\t''
kyber768-90s\t''
kyber1024-90s\t''
ntruhps2048509\t''
ntruhps2048677\t''
ntruhps4096821\t''
ntruhps40961229\t''
ntruhrss701\t''
ntruhrss1373\t''"
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l password-file -d 'File with the password of the private key (one line end is left out); - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l password-env -d 'Variable of the environment with the password of the private key' -r
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l public -d 'Print the public key of a private key'
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l password -d 'Ask for the password of a private key, and look into it'
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand inspect" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -s o -l output -d 'Where the result goes; without it, or with -, standard output (a private key only if that is a pipe)' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l layout -d 'Layout of a private key; without it, the preferred one' -r -f -a "oqs\t''
bouncycastle\t''
seed\t''
expanded\t''
both\t''
bare-seed\t''
bare\t''"
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l encoding -d 'Spelling of a Falcon signature' -r -f -a "padded\t'Fixed length'
compressed\t'As short as possible'"
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l alg -d 'Algorithm of a key that is raw bytes' -r -f -a "falcon512\t''
falcon1024\t''
mlkem512\t''
mlkem768\t''
mlkem1024\t''
kyber512\t''
kyber768\t''
kyber1024\t''
kyber512-90s\t''
kyber768-90s\t''
kyber1024-90s\t''
ntruhps2048509\t''
ntruhps2048677\t''
ntruhps4096821\t''
ntruhps40961229\t''
ntruhrss701\t''
ntruhrss1373\t''"
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l oid -d 'Object identifier to write, of those that the algorithm has' -r
complete -c pqc -n "__fish_pqc_using_subcommand convert" -s p -l public-key -d 'Public key that a bare signature is by, to make a signature file of it' -r -k -a "(__fish_complete_suffix .pub)"
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l password-file -d 'File with the password of the private key (one line end is left out); - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l password-env -d 'Variable of the environment with the password of the private key' -r
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l public -d 'Write the public key of a private key'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l pem -d 'Write PEM (the default)'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l der -d 'Write the structure of a key without PEM lines'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l raw -d 'Write the algorithm\'s own bytes; of ML-KEM and Kyber the expanded private key, or with --layout seed the seed'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l unprotected -d 'Leave the password of the private key out of the result'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l force -d 'Replace OUT if it exists (never by or for a private key)'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l password-file -d 'File with the password of the private key (one line end is left out); - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l password-env -d 'Variable of the environment with the password of the private key' -r
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l new-password-file -d 'File with the new password; - is standard input' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l new-password-env -d 'Variable of the environment with the new password' -r
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l remove -d 'Remove the password'
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand passwd" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand selftest" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand selftest" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand selftest" -l json -d 'Print one JSON object'
complete -c pqc -n "__fish_pqc_using_subcommand selftest" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand selftest" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand selftest" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand selftest" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l alg -d 'Algorithms, with commas between them, or all; without it, Falcon and ML-KEM' -r -f -a "falcon512\t''
falcon1024\t''
mlkem512\t''
mlkem768\t''
mlkem1024\t''
kyber512\t''
kyber768\t''
kyber1024\t''
kyber512-90s\t''
kyber768-90s\t''
kyber1024-90s\t''
ntruhps2048509\t''
ntruhps2048677\t''
ntruhps4096821\t''
ntruhps40961229\t''
ntruhrss701\t''
ntruhrss1373\t''
all\t''"
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l op -d 'Operations, with commas between them, or all: the rows below' -r -f -a "keygen\t''
sign\t''
sign-kept\t''
sign-core\t''
sign-batch\t''
verify\t''
verify-kept\t''
encaps\t''
encaps-kept\t''
encaps-core\t''
decaps\t''
decaps-kept\t''
keygen-batch\t''
encaps-batch\t''
decaps-batch\t''
keygen-sort\t''
encaps-sort\t''
all\t''"
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l seconds -d 'Seconds for each row on each backend (0.25; with --stages 1)' -r
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l threads -d 'Threads that work at the same time, each pinned to a processor: the throughput of a server' -r
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l batch -d 'Operations in one call of sign-batch, keygen-batch, encaps-batch and decaps-batch; their times are for one of them' -r
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l message-bytes -d 'Bytes of the messages that are signed' -r
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l seed -d 'Number that keys, messages, seeds and the order of rounds come from; without it, a random one, which is shown' -r
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l json -d 'Print one JSON object with every sample, or write it to FILE' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l csv -d 'Print one line a sample, or write them to FILE' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l plot -d 'Draw a bar chart to FILE, an SVG' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l compare -d 'Compare with FILE, which --json wrote earlier; without --alg, --op and --seed, measures what it has' -r -F
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l isa -d 'Backend to run on: auto, or a name that pqc list shows (also PQC_ISA)' -r -f -a "auto\t''
soft\t''
rv64im\t''
scalar\t''
sse2\t''
avx2-base\t''
avx2\t''
avx512f-base\t''
avx512f\t''
neon-base\t''
neon\t''
rvv\t''"
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l color -d 'Colour of help and verdicts' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l isolated -d 'Measure each backend alone, to show that taking turns did not decide the ratios'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l stages -d 'Show where the time of a signature, an encapsulation and a decapsulation goes'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l claims -d 'Show what four papers claim, and the same ratios on this machine'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l cite -d 'Print a line and a LaTeX row for each figure; writes the JSON too (pqc-bench.json, or the FILE of --json)'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -l force -d 'Replace the files of --json, --csv and --plot if they exist'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -s q -l quiet -d 'No notes, no progress, no lines about what went well'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -s v -l verbose -d 'Say more on standard error'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -s V -l version -d 'Print the version (with -v, also the backends and PQC_ISA)'
complete -c pqc -n "__fish_pqc_using_subcommand bench" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "keygen" -d 'Make a key pair: NAME.key (private) and NAME.pub'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "sign" -d 'Sign files: writes FILE.sig beside each FILE'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "verify" -d 'Check signatures: one line a file'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "encaps" -d 'Make a shared secret and the ciphertext that takes it to the owner of a key'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "decaps" -d 'Take the shared secret out of a ciphertext'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "list" -d 'Show the algorithms and the backends'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "inspect" -d 'Say what a key, signature or ciphertext file is'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "convert" -d 'Write a key or signature in another layout or format'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "passwd" -d 'Set, change or remove the password of a private key'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "selftest" -d 'Test this build on this processor: known answers, equal backends, refusals'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "bench" -d 'Measure the algorithms'
complete -c pqc -n "__fish_pqc_using_subcommand help; and not __fish_seen_subcommand_from keygen sign verify encaps decaps list inspect convert passwd selftest bench help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
