/**
 * The view of the board: a game, searches of its positions, and Plumb as the opponent. The address holds the first
 * position, the moves, the ply that is shown, the algorithm, the limit, and which side Plumb plays at which strength.
 */
function makeBoardView(plumb, choices, page) {
  const { byId, trouble, address } = page;
  const FIELDS = ["backend", "limit", "side", "level"];
  const board = makeChessboard(byId("chess"), choices.board, (move) => make(move.uci));
  const elements = Object.fromEntries(["found", "counts", "bracket", "iterations"].map((id) => [id, byId(id)]));
  const watch = makeWatch(elements, (move) => searching.shows && board.arrow(move));
  const searching = { shows: false, number: 0, running: false };
  let game = { fen: "", moves: [], ply: 0 };
  let state = null;
  let read = { tags: {}, result: "*", moves: [] }; // of the game that was read

  const shownMoves = () => game.moves.slice(0, game.ply);

  /** Shows the position at the ply of the game. A wrong game leaves the one that was there. */
  async function show(next, told = "") {
    try {
      const before = next.ply ? next.moves[next.ply - 1] : null;
      const shown = await plumb.position({ fen: next.fen || null, moves: next.moves.slice(0, next.ply) });
      const whole = await plumb.position({ fen: next.fen || null, moves: next.moves });
      [game, state] = [next, shown];
      board.show(state, before && { from: before.slice(0, 2), to: before.slice(2, 4) });
      board.arrow(null);
      byId("fen").value = state.fen;
      byId("status").textContent = told || statusOf(state);
      listMoves(whole);
      writeAddress();
      trouble("");
      return true;
    } catch (error) {
      trouble(`This cannot be set up: ${error.message}.`);
      return false;
    }
  }

  function statusOf({ end, turn, check }) {
    if (end) return `${end.result}: ${end.reason}.`;
    return `${turn === "w" ? "White" : "Black"} is to move${check ? ", in check" : ""}.`;
  }

  /** The moves of the whole game, a button each. */
  function listMoves({ line, start }) {
    const [, turn, , , , first] = start.split(" ");
    const offset = turn === "b" ? 1 : 0;
    byId("moves").replaceChildren(...line.map((san, at) => {
      const item = document.createElement("li");
      const ply = at + offset;
      if (ply % 2 === 0 || at === 0) item.append(`${Number(first) + Math.floor(ply / 2)}${ply % 2 ? "…" : "."}`);
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: san });
      if (at + 1 === game.ply) button.setAttribute("aria-current", "step");
      button.addEventListener("click", () => goTo(at + 1));
      item.append(button);
      return item;
    }));
    byId("moves").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  async function goTo(ply) {
    end();
    // Back at the end of the game Plumb goes on where it is its turn.
    if (await show({ ...game, ply: Math.min(Math.max(ply, 0), game.moves.length) })) await answer();
  }

  /** True where Plumb is to move, at the end of the game. */
  function isPlumbsTurn() {
    return state && !state.end && byId("side").value === state.turn && game.ply === game.moves.length;
  }

  /** A move on the board; Plumb answers where it plays the other side. */
  async function make(move) {
    if (isPlumbsTurn()) {
      byId("status").textContent = "Plumb is to move.";
      return;
    }
    end();
    const moves = [...shownMoves(), move];
    if (await show({ ...game, moves, ply: moves.length })) await answer();
  }

  /** Plumb's move, where it is its turn at the end of the game. */
  async function answer() {
    if (!isPlumbsTurn()) return;
    const position = JSON.stringify(game);
    let found = await search("Plumb thinks…", { ...limits(), ...strength() });
    // It was stopped before it had found a move.
    if (found === null) found = await search("Plumb moves…", { depth: 1, ...strength() });
    if (found?.best && JSON.stringify(game) === position) {
      const moves = [...shownMoves(), found.best];
      await show({ ...game, moves, ply: moves.length });
    }
  }

  function limits() {
    const [kind, size] = byId("limit").value.split(":");
    return kind ? { [kind]: Number(size) } : {};
  }

  function strength() {
    const level = byId("level").value;
    return level ? { elo: Number(level), seed: game.ply + 1 } : {};
  }

  /** Searches the position that is shown: the answer, null if it was stopped or wrong, undefined if another followed. */
  async function search(words, more = limits()) {
    end();
    if (state.end) {
      watch.begin(`The game is over: ${statusOf(state)}`);
      return undefined;
    }
    const number = ++searching.number;
    Object.assign(searching, { running: true, shows: true });
    byId("stop").disabled = false;
    watch.begin(words);
    const hear = (event) => number === searching.number && watch.hear(event);
    try {
      const request = { fen: game.fen || null, moves: shownMoves(), backend: byId("backend").value, ...more };
      const found = await plumb.search(request, hear);
      if (number !== searching.number) return undefined;
      watch.end(found);
      return found;
    } catch (error) {
      if (number !== searching.number) return undefined;
      if (error.message !== "stopped") trouble(`The search failed: ${error.message}.`);
      return null;
    } finally {
      if (number === searching.number) rest();
    }
  }

  function rest() {
    searching.running = false;
    byId("stop").disabled = true;
  }

  /** Ends a search that runs, before something else is shown. */
  function end() {
    if (searching.running) stop();
    searching.shows = false;
    searching.number++;
  }

  function stop() {
    plumb.stop();
    rest();
  }

  async function hint() {
    const found = await search("Looking for a hint…", { time: 700 });
    if (found?.best) byId("status").textContent = `Hint: ${found.san}.`;
    if (found !== undefined) await answer();
  }

  /** A search that was asked for; it took the place of Plumb's own, where that was under way. */
  async function searchHere() {
    if ((await search("Searching…")) !== undefined) await answer();
  }

  function writeAddress() {
    const fields = Object.fromEntries(FIELDS.map((name) => [name, byId(name).value]));
    const at = game.ply < game.moves.length ? { ply: game.ply } : {};
    address.write({ view: "board", fen: game.fen, moves: game.moves.join(","), ...at, ...fields });
  }

  function newGame(fen = "") {
    end();
    plumb.clear();
    watch.begin("Nothing has been searched yet.");
    return show({ fen, moves: [], ply: 0 }).then((shown) => {
      if (!shown) return undefined;
      read = { tags: {}, result: "*", moves: [] };
      return answer();
    });
  }

  // Games and suites ------------------------------------------------------------------------------------------------

  async function readGames() {
    try {
      const { games, left_out: leftOut } = await plumb.readPgn(`${byId("pgn").value}\n`);
      const select = byId("pgn-game");
      select.replaceChildren(...games.map(({ tags: of, result }, at) =>
        new Option(`${of.White ?? "?"} – ${of.Black ?? "?"}, ${result}`, at)));
      byId("pgn-game-label").hidden = games.length < 2;
      select.onchange = () => showGame(games[select.value]);
      await showGame(games[0]);
      if (leftOut.length) trouble(`Left out: ${leftOut.join("; ")}.`);
    } catch (error) {
      trouble(`This is no game that can be read: ${error.message}.`);
    }
  }

  async function showGame(next) {
    end();
    if (!(await show({ fen: next.fen, moves: next.moves, ply: next.moves.length }))) return;
    read = next;
    // Its search may last, and what was left out is told meanwhile.
    answer();
  }

  async function writeGame() {
    const { tags, result, moves } = read;
    const same = moves.join() === game.moves.join();
    byId("pgn").value = await plumb.writePgn({ fen: game.fen || null, moves: game.moves, tags, result: same ? result : "*" });
    byId("pgn").select();
  }

  function fillSuites() {
    byId("suite").append(...choices.suites.map(({ name }, at) => new Option(name, at)));
    const list = () => {
      const { positions } = choices.suites[byId("suite").value];
      byId("suite-position").replaceChildren(new Option("choose one", ""), ...positions.map(({ id, best, fen }, at) =>
        new Option(`${id || fen}${best ? `: best ${best}` : ""}`, at)));
    };
    byId("suite").addEventListener("change", list);
    byId("suite-position").addEventListener("change", () => {
      const at = byId("suite-position").value;
      if (at !== "") newGame(choices.suites[byId("suite").value].positions[at].fen);
    });
    list();
  }

  function fillFields() {
    byId("backend").append(...choices.backends.map(({ name, alias }) => new Option(name, alias)));
    byId("level").append(...choices.levels.map(({ name, elo }) => new Option(`${name} (${elo})`, elo)));
    for (const name of FIELDS) byId(name).addEventListener("change", writeAddress);
    byId("side").addEventListener("change", () => {
      end();
      answer();
    });
  }

  // Input -----------------------------------------------------------------------------------------------------------

  const takeBack = async () => {
    end();
    // Where Plumb has answered, both moves are taken back, so that the same side is to move again.
    const side = byId("side").value;
    const count = side && side !== state.turn && game.ply > 1 ? 2 : 1;
    const moves = game.moves.slice(0, Math.max(game.ply - count, 0));
    if (await show({ ...game, moves, ply: moves.length })) await answer();
  };
  const actions = {
    "new-game": () => newGame(), back: takeBack, earlier: () => goTo(game.ply - 1), later: () => goTo(game.ply + 1),
    flip: () => board.flip(), hint, stop, "read-pgn": readGames, "write-pgn": writeGame,
  };
  for (const id in actions) byId(id).addEventListener("click", actions[id]);
  byId("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    searchHere();
  });
  byId("fen-form").addEventListener("submit", (event) => {
    event.preventDefault();
    newGame(byId("fen").value.trim());
  });
  document.addEventListener("keydown", (event) => {
    if (byId("board-view").hidden || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.matches("input, select, textarea, .squares button")) return;
    if (event.key === "ArrowLeft") goTo(game.ply - 1);
    else if (event.key === "ArrowRight") goTo(game.ply + 1);
    else return;
    event.preventDefault();
  });
  fillFields();
  fillSuites();

  return {
    /** Shows the view as the address says. */
    async open({ view: _, ...asked }) {
      byId("about").textContent = "moves by clicks, dragging or keys; search them, or play";
      if (state && !Object.keys(asked).length) {
        writeAddress();
        return answer();
      }
      const { fen = "", moves = "", ply, ...fields } = asked;
      for (const name of FIELDS) {
        const options = [...byId(name).options].map(({ value }) => value);
        if (fields[name] !== undefined && options.includes(fields[name])) byId(name).value = fields[name];
      }
      const line = moves ? moves.split(",") : [];
      if (!(await show({ fen, moves: line, ply: Math.min(Number(ply ?? line.length), line.length) })) && !state) {
        const told = byId("trouble").textContent;
        await show({ fen: "", moves: [], ply: 0 });
        trouble(told);
      }
      await answer();
    },
    end,
  };
}
