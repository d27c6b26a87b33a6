#!/bin/bash
# The Stockfish of lichess.org searches without its network and says nothing: every position is equal.
#
# Guess 21: the package does not run under Node without a patch (and 237: without a network all scores are
#           near 0).
# Seen:     it runs as an ES module. The network is not in the package; a program that does not hand one
#           over (`setNnueBuffer`) gets scores of 0 and moves all the same, while native Stockfish ends with
#           an error. A queen more is 0.00; mates are found.
# Versions: @lichess-org/stockfish-web 0.5.0 (Stockfish 19), Node 20.20.
# Source:   https://github.com/lichess-org/stockfish-web (stockfishWeb.d.ts: getRecommendedNnue,
#           setNnueBuffer)
# Means:    scores of such an engine must be looked at before a match or a labelling; all of them near 0
#           means no network. Adjudication of draws by score would end every game.
. "$(dirname "$0")/common.sh"
npm_packages @lichess-org/stockfish-web@0.5.0
cat > web.mjs <<'NODE'
import stockfish from '@lichess-org/stockfish-web/sf_19_smallnet.js';
const engine = await stockfish();
let answers = [];
engine.listen = line => answers.push(line);
engine.onError = line => answers.push('error ' + line);
async function ask(fen, command, last) {
    answers = [];
    engine.uci('position fen ' + fen);
    engine.uci(command);
    const end = Date.now() + 20000;
    while (!answers.some(line => line.startsWith(last)) && Date.now() < end)
        await new Promise(done => setTimeout(done, 20));
    return answers;
}
const queen = '3qk3/8/8/8/8/8/8/Q2QK3 w - - 0 1';
console.log('network', engine.getRecommendedNnue(0));
const evaluation = (await ask(queen, 'eval', 'Final')).find(line => line.startsWith('Final'));
console.log('eval', evaluation.split('(')[0].trim());
const search = await ask(queen, 'go depth 6', 'bestmove');
const last = search.filter(line => line.includes(' score cp ')).at(-1);
const score = Math.abs(last.split(' score cp ')[1].split(' ')[0]);
console.log('a queen more', score <= 10 ? 'at most 0.10' : score);
console.log('errors', search.filter(line => line.startsWith('error')).length);
console.log('mate', (await ask('6k1/5ppp/8/8/8/8/5PPP/R2R2K1 w - - 0 1', 'go depth 6', 'bestmove')).at(-1));
process.exit(0);
NODE
timeout 90 node web.mjs > web.txt
of() { sed -n "s/^$1 //p" web.txt; }
same 'network it asks for' "$(of network)" 'nn-61e7af4bb97d.nnue'
same 'eval, a queen more' "$(of eval)" 'Final evaluation      +0.00'
same 'search, a queen more' "$(of 'a queen more')" 'at most 0.10'
same 'messages of errors' "$(of errors)" 0
same 'mate in one' "$(of mate)" 'bestmove d1d8'
finish
