#!/usr/bin/env bash
# A soak of files: two matches and three other commands beside each other on one folder, ended by SIGKILL, SIGINT and SIGTERM
# in turn until all is done, while other commands try to write the files that are being written. Nothing may be lost: the
# games are those of undisturbed runs.
#
#   tests/soak_files.sh ./plumb [GAMES]      GAMES of each match (1,000); minutes; the folder is ./soak-files
set -euo pipefail
plumb=$(realpath "$1") games=${2:-1000}
rm -rf soak-files
mkdir -p soak-files/alone soak-files/shared
cd soak-files
faults=0 rounds=0 refused=0
fault() {
    echo "FAULT: $*"
    faults=$((faults + 1))
}

# The five pieces of work, each in the folder where it is called.
match() { # NAME SEED
    "$plumb" tournament Grid=8 Grid=16 --nodes 600 --games "$games" --jobs 1 --seed "$2" --record "$1.rec" --pgn "$1.pgn" \
        --data "$1.vf" --json "$1.json" --overwrite > "$1.out" 2>> "$1.err"
}
make_games() { "$plumb" datagen --nodes 150 --games "$games" --jobs 1 --seed 7 --out games.vf > games.out 2>> games.err; }
count() { "$plumb" compare suite.epd --depth 4 --backends mtdf,negascout,sss --csv count.csv > count.out 2>> count.err; }
solve() { "$plumb" epd suite.epd --nodes 3000 --json solved.json --csv solved.csv > solved.out 2>> solved.err; }

# Positions with a best move: every game of the matches begins as the book does.
suite() {
    printf '%s\n' \
        'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - bm Nf6; id "italian";' \
        'rnbqkb1r/ppp1pppp/5n2/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - bm Nc3; id "queens gambit";' \
        '2rr2k1/pp3ppp/8/8/8/8/PP3PPP/2R3K1 w - - bm Rxc8; id "exchange";' > suite.epd
}

for folder in alone shared; do (cd "$folder" && suite); done
printf '1. e4 e5 2. Nf3 *\n' > shared/line.pgn
(cd shared && "$plumb" book build line.pgn -o book.bin > /dev/null)
echo "undisturbed"
(cd alone && { match a 1 & match b 2 & wait; } && make_games && count && solve)

# What a disturbed run has to leave: the rows of a record without the times and checksums, in order.
rows() { grep -v '^#' "$1" | sed -E 's,(/[0-9]+)/[0-9]+([ \t;\,]|$),\1\2,g; s/,[0-9a-f]{16}$//' | sort -n; }
moves() { sed 's/{[^}]*}//g; s/ *[0-9]*\.\.\. */ /g' "$1" | grep -v '^\[Date' | tr -s ' \n' ' '; }

cd shared
done_all=false signals=(-KILL -INT -TERM)
while ! $done_all; do
    rounds=$((rounds + 1))
    [ "$rounds" -le 500 ] || { fault "not done after 500 rounds"; break; }
    pids=()
    match a 1 & pids+=($!)
    match b 2 & pids+=($!)
    make_games & pids+=($!)
    count & pids+=($!)
    solve & pids+=($!)
    sleep 0.7
    # Commands that would destroy what the others write.
    for words in "epd suite.epd --nodes 10 --json a.rec" "trace --depth 1 -o b.rec" "book merge book.bin -o games.vf" \
        "compare suite.epd --depth 1 --csv a.rec" "datagen --nodes 1 --games 1 --out b.vf" "epd suite.epd --csv games.vf"; do
        # shellcheck disable=SC2086 -- words of a command line.
        if "$plumb" $words > /dev/null 2>> intruders.err; then
            fault "not refused: $words"
        else
            refused=$((refused + 1))
        fi
    done
    sleep "0.$((RANDOM % 10))"
    signal=${signals[$((rounds % 3))]}
    if [ "$rounds" -lt 40 ]; then pkill "$signal" -P "$(IFS=,; echo "${pids[*]}")" 2> /dev/null || true; fi
    ended=0
    for pid in "${pids[@]}"; do wait "$pid" 2> /dev/null && ended=$((ended + 1)); done
    [ "$ended" -lt 5 ] || done_all=true
done
cd ..

for name in a b; do
    diff -q <(rows alone/$name.rec) <(rows shared/$name.rec) > /dev/null || fault "games of $name.rec"
    diff -q <(moves alone/$name.pgn) <(moves shared/$name.pgn) > /dev/null || fault "moves of $name.pgn"
    cmp -s alone/$name.vf shared/$name.vf || fault "$name.vf"
done
cmp -s alone/games.vf shared/games.vf || fault games.vf
[ "$(grep -vc '^#' alone/count.csv)" = "$(grep -vc '^#' shared/count.csv)" ] || fault count.csv
left=$(find shared -name '*.lock' -o -name '*.partial')
[ -z "$left" ] || fault "left: $left"
grep -l panicked shared/*.err && fault "a panic"
echo "$((2 * games)) games of matches and $games of datagen in $rounds rounds; $refused intruders refused; $faults faults"
[ "$faults" = 0 ]
