#!/bin/bash
# Two WebAssembly builds of one engine offer very different sizes of the hash table.
#
# Guess 4:  `Hash` ends at 2048 MB or less, since the memory of 32-bit WebAssembly ends at 4 GiB.
# Seen:     npm stockfish 19.0.0 offers 33554432 MB (32 TiB), the number of a 64-bit machine, and `compiler`
#           says "64bit"; the build of lichess offers 2048 MB. A setting that memory can hold (256 MB) is
#           taken by both. In words: with sizes that no such memory can hold, the first one either ends or
#           goes on with a table that is not there (the memory of the process does not grow), without a
#           message in the second case.
# Versions: npm stockfish 19.0.0, @lichess-org/stockfish-web 0.5.0, Node 20.20.
# Source:   https://github.com/nmrugg/stockfish.js, https://github.com/lichess-org/stockfish-web
# Means:    a match runner that checks `Hash` against the range which the engine names is not protected.
#           Settings of a native engine must not be handed to its WebAssembly build unseen.
. "$(dirname "$0")/common.sh"
npm_packages stockfish@19.0.0 @lichess-org/stockfish-web@0.5.0

uci node node_modules/stockfish/bin/stockfish-19-lite-single.js > single.txt <<'UCI'
> uci
< uciok 60
> compiler
> setoption name Hash value 256
> isready
< readyok 30
UCI
cat > web.mjs <<'NODE'
import stockfish from '@lichess-org/stockfish-web/sf_19_smallnet.js';
const engine = await stockfish();
engine.listen = line => {
    console.log(line);
    if (line === 'uciok') engine.uci('setoption name Hash value 256'), engine.uci('isready');
    if (line === 'readyok') process.exit(0);
};
engine.uci('uci');
NODE
timeout 60 node web.mjs > web.txt

same 'npm stockfish' "$(grep 'name Hash' single.txt)" \
    'option name Hash type spin default 16 min 1 max 33554432'
same 'its compiler' "$(grep 'settings' single.txt | tr -s ' ')" \
    'Compilation settings : 64bit SSE41 SSSE3 SSE2 POPCNT'
same 'stockfish-web' "$(grep 'name Hash' web.txt)" 'option name Hash type spin default 16 min 1 max 2048'
same '256 MB' "$(tail -n 1 single.txt) $(tail -n 1 web.txt)" 'readyok readyok'
finish
