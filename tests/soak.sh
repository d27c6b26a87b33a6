#!/usr/bin/env bash
# A soak: thousands of games through fastchess, which checks every move and every line. Any warning, loss on time, illegal
# move or disconnection fails it.
#
#   FASTCHESS=fastchess tests/soak.sh nodes   ./plumb OPENINGS.epd FRC_OPENINGS.epd
#   FASTCHESS=fastchess tests/soak.sh clocks  ./plumb OPENINGS.epd FRC_OPENINGS.epd
#
# `nodes`: all backends against each other at fixed nodes, with one and two threads, network and hand-crafted evaluation,
# own book, tablebases (SYZYGY) and Chess960; may run beside other work. `clocks`: from 0.1 s + 1 ms to 2 s + 20 ms a game,
# on a machine that does nothing else. SCALE=10 plays a tenth of the games. The logs are in SOAK (./soak).
set -euo pipefail
part=$1 plumb=$(realpath "$2") openings=$(realpath "$3") frc=$(realpath "$4")
fastchess=${FASTCHESS:-fastchess} scale=${SCALE:-1} folder=${SOAK:-soak}
mkdir -p "$folder"
cd "$folder"
all_faults=0

# Memory of the largest running program of the match, in KiB, every ten seconds.
watch_memory() {
    while sleep 10; do
        ps -C "$(basename "$plumb")" -o rss= | sort -n | tail -n 1
    done
}

# play NAME GAMES OPENINGS ENGINES...: a round robin of players, given as NAME OPTIONS; EACH has what all of them have.
play() {
    local name=$1 games=$2 book=$3 engines=() player
    shift 3
    for player in "$@"; do
        local words=()
        read -ra words <<< "$player"
        engines+=(-engine "cmd=$plumb" "name=${words[0]}" "${words[@]:1}")
    done
    local pairs=$(($# * ($# - 1) / 2))
    local rounds=$(((games / scale + 2 * pairs - 1) / (2 * pairs)))
    watch_memory > "$name.memory" &
    local watcher=$!
    "$fastchess" "${engines[@]}" -each "${EACH[@]}" -openings "file=$book" format=epd order=random -srand 35 \
        -rounds "$rounds" -games 2 -repeat -concurrency 1 -check-mate-pvs -ratinginterval 0 -autosaveinterval 0 \
        "${MORE[@]}" > "$name.log" 2>&1 || echo "fastchess failed" >> "$name.log"
    kill "$watcher"
    wait "$watcher" 2> /dev/null || true
    local played faults
    played=$(grep -c '^Finished game' "$name.log" || true)
    faults=$(grep -cE 'Warning|on time|illegal|disconnect|stall|crash|fastchess failed' "$name.log" || true)
    printf '%-28s %6d games %4d faults, at most %d MiB\n' "$name" "$played" "$faults" \
        "$(($(sort -n "$name.memory" | tail -n 1 | grep . || echo 0) / 1024))"
    all_faults=$((all_faults + faults))
}

# Names as fastchess demands them, which takes no aliases; a star is no pattern here.
set -f
drivers="MTD(f) MTD-best BNS MTD-bi MTD-step MTD-opt SSS* DUAL* NegaScout PlainNegaScout AlphaBeta"
textbook="INS PNS BestFirst RecursiveBestFirst BestFirstExtension"

# Names and options of a player for each of some backends.
players() {
    local backend
    for backend in $1; do
        echo "$backend${3:-} option.Backend=$backend $2"
    done
}

case $part in
nodes)
    EACH=(tc=inf nodes=1000 option.Hash=4) MORE=()
    readarray -t all < <(players "$drivers $textbook" "")
    play all-backends 2100 "$openings" "${all[@]}"
    readarray -t all < <(players "$drivers" "option.Evaluation=hand-crafted")
    play hand-crafted 1800 "$openings" "${all[@]}"
    EACH=(tc=inf nodes=1000 option.Hash=1 option.Threads=2)
    readarray -t all < <(players "$drivers" "")
    play two-threads 900 "$openings" "${all[@]}"
    EACH=(tc=inf nodes=1000 option.Hash=1 "option.SyzygyPath=${SYZYGY:-}") MORE=()
    readarray -t all < <(players "$drivers" "option.OwnBook=true"; players "MTD(f) NegaScout" "option.OwnBook=false" -no-book)
    play books-and-tables 1320 "$openings" "${all[@]}"
    EACH=(tc=inf nodes=1000 option.Hash=4) MORE=(-variant fischerandom)
    readarray -t all < <(players "$drivers" "")
    play chess960 1800 "$frc" "${all[@]}"
    readarray -t all < <(players "$textbook" "")
    play chess960-textbook 200 "$frc" "${all[@]}"
    ;;
clocks)
    MORE=()
    readarray -t all < <(players "MTD(f) NegaScout MTD-best AlphaBeta SSS*" ""; players "MTD(f) NegaScout" "option.Evaluation=hand-crafted" -hand-crafted)
    EACH=(tc=0.1+0.001 option.Hash=16)
    play 0.1+0.001 1260 "$openings" "${all[@]}"
    EACH=(tc=0.5+0.01 option.Hash=16)
    play 0.5+0.01 252 "$openings" "${all[@]}"
    EACH=(tc=0.5+0.01 option.Hash=16 option.Threads=2)
    play 0.5+0.01-two-threads 126 "$openings" "${all[@]}"
    EACH=(tc=2 option.Hash=16)
    play sudden-death-2 126 "$openings" "${all[@]}"
    EACH=(tc=2+0.02 option.Hash=16)
    play 2+0.02 84 "$openings" "${all[@]}"
    MORE=(-variant fischerandom)
    EACH=(tc=0.1+0.001 option.Hash=16)
    play chess960-0.1+0.001 168 "$frc" "${all[@]}"
    ;;
*)
    echo "nodes or clocks, not '$part'" >&2
    exit 2
    ;;
esac
[ "$all_faults" -eq 0 ]
