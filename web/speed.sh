#!/usr/bin/env bash
# Speed of Plumb's WebAssembly under Node.js against the native program, with SIMD and without: the same searches in
# turn, RUNS times (5 without a word). Prints a table of made moves a second, as shares of the native program's; each is
# the median of the runs, and the least and the greatest of them. Node counts have to agree.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-5}
target=${CARGO_TARGET_DIR:-target}
wasm=wasm32-unknown-unknown

RUSTFLAGS="-C target-cpu=native" cargo build -q --release --locked -p plumb-web --example counts --target-dir "$target/speed"
for form in simd plain; do
    flags="-C link-arg=-zstack-size=8388608$([ $form = simd ] && echo " -C target-feature=+simd128" || true)"
    RUSTFLAGS=$flags cargo build -q --release --locked -p plumb-web --target $wasm --target-dir "$target/speed-$form"
    cargo run -q --release --locked --manifest-path web/bundle/Cargo.toml --target-dir "$target/bundle" -- \
        nodejs "$target/speed-$form/$wasm/release/plumb_web.wasm" "$target/web/$form"
done
exec node web/speed.cjs "$runs" "$target/speed/release/examples/counts" "$target/web/simd" "$target/web/plain"
