# Common parts of the findings, to be sourced: a temporary folder that is removed at the end, packages of one
# version, a conversation with a UCI engine, and comparisons with what was seen.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export CARGO_TARGET_DIR=$work/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0
differences=0

# npm_packages NAME@VERSION...: into node_modules of the temporary folder; their install scripts are not run.
npm_packages() {
    echo '{"private": true}' > package.json
    npm install --no-audit --no-fund --ignore-scripts "$@" > npm.log 2>&1 || { cat npm.log >&2; exit 2; }
    echo "node $(node --version), $*"
}

# debian_packages NAME=VERSION...: unpacked into the folder debian, not installed. The version is that of the
# program, without Debian's own number behind it.
debian_packages() {
    local package name version have
    for package in "$@"; do
        name=${package%%=*} version=${package#*=}
        apt-get download "$name" > apt.log 2>&1 || { cat apt.log >&2; exit 2; }
        have=$(dpkg-deb -f "$name"_*.deb Version)
        [[ ${have#*:} == "$version"-* ]] || { echo "$name is $have here, not $version" >&2; exit 2; }
        dpkg-deb -x "$name"_*.deb debian
        echo -n "$name $have "
    done
}

# pip_packages FOLDER NAME==VERSION...: a virtual environment of its own.
pip_packages() {
    local folder=$1
    shift
    python3 -m venv "$folder"
    "$folder/bin/pip" install -q --disable-pip-version-check "$@" || exit 2
    echo "$("$folder/bin/python" --version), $*"
}

# crate_program 'NAME = "=VERSION"'...: builds the program that is on the input as ./target/debug/found.
crate_program() {
    mkdir -p src
    cat > src/main.rs
    printf '%s\n' '[package]' 'name = "found"' 'version = "0.0.0"' 'edition = "2021"' \
        '[dependencies]' "$@" > Cargo.toml
    cargo build -q > cargo.log 2>&1 || { cat cargo.log >&2; exit 2; }
    echo "$(cargo --version), $*"
}

# uci COMMAND...: runs an engine. Of the input, a line "> TEXT" is sent, "< WORD SECONDS" waits for a line
# that begins with WORD (and prints "no WORD in SECONDS s" if none comes). Prints what the engine answers.
uci() {
    cat > uci.txt
    cat > uci.py <<'PYTHON'
import queue, subprocess, sys, threading, time

engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
answers = queue.Queue()


def read():
    for answer in engine.stdout:
        answers.put(answer.rstrip())


threading.Thread(target=read, daemon=True).start()
for line in open("uci.txt"):
    kind, text = line.rstrip("\n").split(" ", 1)
    if kind == ">":
        engine.stdin.write(text + "\n")
        engine.stdin.flush()
        continue
    word, seconds = text.split()
    end = time.time() + float(seconds)
    while True:
        try:
            answer = answers.get(timeout=max(0.01, end - time.time()))
        except queue.Empty:
            print(f"no {word} in {seconds} s")
            break
        print(answer)
        if answer.startswith(word):
            break
engine.kill()
PYTHON
    python3 uci.py "$@"
}

# same WHAT SEEN EXPECTED: prints what is seen; a difference makes `finish` fail.
same() {
    printf '%s: %s\n' "$1" "$2"
    if [ "$2" != "$3" ]; then
        printf '  differs from what was seen before: %s\n' "$3"
        differences=$((differences + 1))
    fi
}

finish() {
    if [ "$differences" -gt 0 ]; then
        echo "the behaviour has changed in $differences places"
        exit 1
    fi
    echo "as it was seen"
}
