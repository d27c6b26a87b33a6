#!/bin/bash
# Fairy-Stockfish for JavaScript reads a file of two games as one: the moves of the second are played behind
# those of the first. Words that are no moves are passed over, and the game goes on.
#
# Guess 513: it reads the first game alone.
# Seen:      `readGamePGN` of 1 e4 e5 and 1 d4 d5 gives e2e4 e7e5 d2d4 d7d5, with the tags of the first game;
#            the words of the second one's tags are named on the console as invalid moves. A null move is
#            passed over as well, and then what cannot be played: 1 e4 -- 2 d4 d5 is e2e4 d7d5. Games with
#            comments, marks and variations are read right. Under Node 18 and later the package loads only
#            where `fetch` is taken away first.
# Versions:  npm ffish 0.7.10.
# Source:    https://github.com/fairy-stockfish/Fairy-Stockfish (src/ffishjs.cpp)
# Means:     files of match runners are to be cut into games before they are given to it: training positions
#            of such a chain would be of games that nobody played. Plumb's readers take one game after
#            another, and leave a game out at a word that they cannot read.
. "$(dirname "$0")/common.sh"
npm_packages ffish@0.7.10
cat > games.cjs <<'NODE'
if (process.argv[2] !== 'as it is') {
    delete globalThis.fetch;
}
const ffish = require('ffish');
const tags = (name, result) => `[Event "${name}"]\n[Result "${result}"]\n\n`;
const texts = {
    one: `${tags('one', '1-0')}1. e4 e5 1-0\n`,
    two: `${tags('one', '1-0')}1. e4 e5 1-0\n\n${tags('two', '0-1')}1. d4 d5 0-1\n`,
    null: `${tags('one', '1-0')}1. e4 -- 2. d4 d5 1-0\n`,
    annotated: `${tags('one', '1-0')}{ a } 1. e4 $1 { [%eval 0.3] (2. --) } (1. d4 {x} d5) 1... e5 1-0\n`,
};
ffish.onRuntimeInitialized = () => {
    console.log('loaded yes');
    for (const [name, text] of Object.entries(texts)) {
        const game = ffish.readGamePGN(text);
        console.log(name, game.mainlineMoves());
        console.log(`event-${name}`, game.headers('Event'), game.headers('Result'));
    }
};
NODE
node games.cjs > games.txt 2> messages.txt
node games.cjs 'as it is' > untouched.txt 2>&1 || true
of() { sed -n "s/^$1 //p" games.txt; }
same 'loaded by Node 18 or later' "$(grep -c '^loaded' untouched.txt)" 0
same 'loaded without fetch' "$(of loaded)" yes
same 'one game' "$(of one)" 'e2e4 e7e5'
same 'an annotated game' "$(of annotated)" 'e2e4 e7e5'
same 'two games' "$(of two)" 'e2e4 e7e5 d2d4 d7d5'
same 'their tags' "$(of event-two)" 'one 1-0'
same 'a null move' "$(of null)" 'e2e4 d7d5'
same 'messages about moves' "$(grep -c 'sanMove' messages.txt)" 6
finish
