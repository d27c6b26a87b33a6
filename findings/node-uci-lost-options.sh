#!/bin/bash
# A UCI client for Node leaves out options whose default is not one plain word, and reads numbers in an
# `info string` as the engine's score and depth.
#
# Guess 573: all options of Plumb are there. Guess 525: at `bestmove (none)` its promise never ends.
#            Guess 528: `<empty>` is an empty text.
# Seen:      a combo with the default `MTD(f)` or `Fail High` is not among the options, nor is a string with
#            a comma or full stop: of GNU Chess 6.2.7 `NullMove Pruning`, of Plumb `Backend` and
#            `UCI_EngineAbout`. `(none)` and `<empty>` are given as they stand. `info string` with the words
#            `score cp 99` gives a score of 99; `lowerbound` is dropped. python-chess and the crates
#            vampirc-uci and ruci read all of these options.
# Versions:  npm node-uci 1.3.4; Debian gnuchess 6.2.7; PyPI chess 1.11.2 (crates vampirc-uci 0.11.1 and ruci
#            2.1.0 were tried by hand).
# Source:    https://github.com/ebemunk/node-uci (src/const.js, src/parse*); UCI protocol, `option`, `info`
# Means:     a page that lists options by this client hides some that can be set all the same: `setoption`
#            is sent without looking at the list. A bound is taken for a score.
. "$(dirname "$0")/common.sh"
debian_packages gnuchess=6.2.7
npm_packages node-uci@1.3.4
pip_packages venv chess==1.11.2
# An engine that has the options of the protocol's forms, and answers `go` with the lines of $ANSWER.
cat > engine.cjs <<'NODE'
#!/usr/bin/env node
const options = [
    'Hash type spin default 16 min 1 max 64',
    'Backend type combo default MTD(f) var MTD(f) var NegaScout',
    'Style type combo default Very Solid var Very Solid var Risky',
    'EvalFile type string default <empty>',
    'UCI_EngineAbout type string default An engine, 1.0.',
];
const answers = {
    uci: () => [...options.map(option => `option name ${option}`), 'uciok'],
    isready: () => ['readyok'],
    go: () => process.env.ANSWER.split('|'),
    quit: () => process.exit(0),
};
require('readline').createInterface({ input: process.stdin }).on('line', line => {
    const answer = answers[line.split(' ')[0]];
    if (answer) console.log(answer().join('\n'));
});
NODE
printf '#!/bin/sh\nexec %s/debian/usr/games/gnuchess --uci\n' "$work" > gnu.sh
chmod +x engine.cjs gnu.sh
cat > client.cjs <<'NODE'
const { Engine } = require('node-uci');
const lines = {
    none: 'bestmove (none)',
    string: 'info string score cp 99 and depth 7|bestmove e2e4',
    bound: 'info depth 5 score cp 10 lowerbound nodes 100 pv e2e4|bestmove e2e4',
};
(async () => {
    const gnu = new Engine(`${process.cwd()}/gnu.sh`);
    await gnu.init();
    console.log('gnu', gnu.options.has('NullMove Reduction'), gnu.options.has('NullMove Pruning'));
    await gnu.quit();
    for (const [name, answer] of Object.entries(lines)) {
        process.env.ANSWER = answer;
        const engine = new Engine(`${process.cwd()}/engine.cjs`);
        await engine.init();
        await engine.position('startpos');
        const { bestmove, info } = await engine.go({ depth: 5 });
        console.log(name, bestmove, JSON.stringify(info));
        if (name === 'none') {
            console.log('options', [...engine.options.keys()].join(' '));
            console.log('empty', engine.options.get('EvalFile').default);
        }
        await engine.quit();
    }
})();
NODE
node client.cjs > client.txt 2> messages.txt || { cat messages.txt >&2; exit 2; }
venv/bin/python - >> client.txt <<'PYTHON'
import chess.engine

WANTED = ["Backend", "Style", "NullMove Pruning", "UCI_EngineAbout"]
for name, command in [("python-chess", "./engine.cjs"), ("python-chess-gnu", "./gnu.sh")]:
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        print(name, *(option for option in engine.options if option in WANTED))
PYTHON
of() { sed -n "s/^$1 //p" client.txt; }
same 'options of five' "$(of options)" 'Hash EvalFile'
same 'the same in python-chess' "$(of python-chess)" 'Backend Style UCI_EngineAbout'
same 'NullMove Reduction and NullMove Pruning of GNU Chess' "$(of gnu)" 'true false'
same 'NullMove Pruning in python-chess' "$(of python-chess-gnu)" 'NullMove Pruning'
same 'default of EvalFile' "$(of empty)" '<empty>'
same 'bestmove (none)' "$(of none)" '(none) []'
same 'info string' "$(of string | grep -oE '"(depth|value)":[0-9]+' | tr '\n' ' ')" '"depth":7 "value":99 '
same 'score with lowerbound' "$(of bound | grep -o '"score":{[^}]*}')" '"score":{"unit":"cp","value":10}'
finish
