/**
 * The view of the board: a game, searches of its positions, and Plumb as the opponent. The address holds the first
 * position, the moves, the ply that is shown, the algorithm, the limit, which side Plumb plays at which strength, and
 * whether Black is below.
 */
function makeBoardView(plumb, choices, page) {
  const { byId, trouble, tell, address } = page;
  const FIELDS = ["backend", "limit", "side", "level"];
  const NOTHING = "Nothing has been searched yet.";
  const NO_GAME = { tags: {}, result: "*", fen: "", moves: [] };
  const board = makeChessboard(byId("chess"), choices.board, (move) => make(move.uci));
  const names = ["found", "counts", "bracket", "grid", "iterations", "searched", "score-heading"];
  const elements = Object.fromEntries(names.map((id) => [id, byId(id)]));
  const watch = makeWatch(elements, (move) => searching.shows && board.arrow(move));
  const searching = { shows: false, number: 0, running: false, position: "" };
  let usual = {}; // the fields where the address does not say
  let game = { fen: "", moves: [], ply: 0 };
  let seed = 0; // of the errors and the book moves of a level: one for each game
  let underWay = 0; // positions that were asked for and are not shown yet
  let state = null;
  let read = NO_GAME; // the game that was read
  let shownFen = ""; // in the field; another text there is the reader's own
  const pgn = { known: "", warned: "" }; // the text that was read or written, and the one that was not

  const shownMoves = () => game.moves.slice(0, game.ply);
  const positionOf = ({ fen, moves, ply }) => JSON.stringify([fen, moves.slice(0, ply)]);
  const mover = () => (state?.turn === "b" ? "Black" : "White");

  /**
   * Shows the position at the ply of the game. A wrong game leaves the one that was there. What was found in another
   * position is no longer shown, unless `past` says of which one it is.
   */
  async function show(next, past = "") {
    underWay++;
    try {
      const before = next.ply ? next.moves[next.ply - 1] : null;
      const shown = await plumb.position({ fen: next.fen || null, moves: next.moves.slice(0, next.ply) });
      const whole = await plumb.position({ fen: next.fen || null, moves: next.moves });
      [game, state] = [next, shown];
      board.show(state, before && { from: before.slice(0, 2), to: before.slice(2, 4) });
      leaveSearch(past);
      showFen();
      byId("status").textContent = statusOf(state);
      listMoves(whole);
      writeAddress();
      trouble("");
      return true;
    } catch (error) {
      trouble(`This cannot be set up: ${error.message}.`);
      return false;
    } finally {
      underWay--;
    }
  }

  /** Clears what was found in another position than the one that is shown now, or says of which it is. */
  function leaveSearch(past) {
    if (searching.position === positionOf(game)) return;
    searching.shows = false;
    board.arrow(null);
    if (past) watch.past(past);
    else watch.begin(NOTHING, mover());
    searching.position = "";
  }

  /** The FEN of the position, unless the reader has typed another one that is not set up yet. */
  function showFen() {
    if (byId("fen").value === shownFen) byId("fen").value = state.fen;
    shownFen = state.fen;
  }

  /** The result that the game has in its PGN, while no other move was made; else `*`. */
  function readResult() {
    return read.fen === game.fen && read.moves.join() === game.moves.join() ? read.result : "*";
  }

  function statusOf({ end, check }) {
    const words = end ? `${end.result}: ${end.reason}.` : `${mover()} is to move${check ? ", in check" : ""}.`;
    const told = game.ply === game.moves.length ? readResult() : "*";
    return told === "*" || told === end?.result ? words : `${words} Result of the game that was read: ${told}.`;
  }

  /** The moves of the whole game, a button each. */
  function listMoves({ line, start }) {
    const hadFocus = byId("moves").contains(document.activeElement);
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
    const current = byId("moves").querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest" });
    if (hadFocus) (current ?? byId("moves").querySelector("button"))?.focus();
  }

  async function goTo(ply) {
    const wanted = Math.min(Math.max(ply, 0), game.moves.length);
    // A key at either end of the game ends no search.
    if (wanted === game.ply && !underWay) {
      if (!searching.running) await answer();
      return;
    }
    end();
    // Back at the end of the game Plumb goes on where it is its turn.
    if (await show({ ...game, ply: wanted })) await answer();
  }

  /** True where Plumb is to move, at the end of the game, while the board is seen. */
  function isPlumbsTurn() {
    if (!state || state.end || byId("board-view").hidden) return false;
    return byId("side").value === state.turn && game.ply === game.moves.length;
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
      const past = `Plumb's search, before it played ${found.san}:`;
      await show({ ...game, moves, ply: moves.length }, past);
    }
  }

  function limits() {
    const [kind, size] = byId("limit").value.split(":");
    return size ? { [kind]: Number(size) } : {};
  }

  function strength() {
    const level = Number(byId("level").value); // "full" is no number
    return level ? { elo: level, seed } : {};
  }

  /** Searches the position that is shown: the answer, null if it was stopped or wrong, undefined if another followed. */
  async function search(words, more = limits()) {
    end();
    if (state.end) {
      watch.begin(`The game is over: ${statusOf(state)}`, mover());
      return undefined;
    }
    const number = ++searching.number;
    Object.assign(searching, { running: true, shows: true, position: positionOf(game) });
    byId("stop").disabled = false;
    watch.begin(words, mover());
    board.arrow(null);
    const hear = (event) => number === searching.number && watch.hear(event);
    try {
      const request = { fen: game.fen || null, moves: shownMoves(), backend: byId("backend").value, ...more };
      const asked = plumb.search(request, hear);
      showTable();
      const found = await asked;
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
    // A button that is disabled loses the focus.
    if (document.activeElement === byId("stop")) byId("search").focus();
    byId("stop").disabled = true;
    showTable();
  }

  /** Says what the next search finds in the table. */
  function showTable() {
    byId("kept").textContent = plumb.keepsTable
      ? "The table keeps what was searched; the next search begins with it."
      : "The table is empty.";
    byId("clear").disabled = !plumb.keepsTable || searching.running;
  }

  function clearTable() {
    plumb.clear();
    byId("search").focus();
    showTable();
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
    if (byId("board-view").hidden) return;
    const fields = Object.fromEntries(FIELDS.map((name) => [name, byId(name).value]));
    const at = game.ply < game.moves.length ? { ply: game.ply } : {};
    const turned = board.flipped ? { flip: 1 } : {};
    address.write({ view: "board", fen: game.fen, moves: game.moves.join(","), ...at, ...fields, ...turned });
  }

  /** Shows a game that is another one; `from` is the game that was read, where it was. */
  async function showOther(next, from = NO_GAME) {
    const before = [read, shownFen];
    [read, shownFen] = [from, byId("fen").value];
    if (await show(next)) {
      seed = Math.floor(2 ** 32 * Math.random());
      return true;
    }
    [read, shownFen] = before;
    return false;
  }

  async function newGame(fen = "") {
    end();
    if (!(await showOther({ fen, moves: [], ply: 0 }))) return;
    plumb.clear();
    searching.position = "";
    watch.begin(NOTHING, mover());
    board.arrow(null);
    showTable();
    await answer();
  }

  // Games and suites ------------------------------------------------------------------------------------------------

  async function readGames() {
    try {
      const text = byId("pgn").value;
      const { games, left_out: leftOut } = await plumb.readPgn(`${text}\n`);
      pgn.known = text;
      const select = byId("pgn-game");
      select.replaceChildren(...games.map(({ tags: of, result }, at) =>
        new Option(`${of.White ?? "?"} – ${of.Black ?? "?"}, ${result}`, at)));
      byId("pgn-game-label").hidden = games.length < 2;
      select.onchange = () => showGame(games[select.value]);
      tell("left-out", leftOut.length ? `Left out: ${leftOut.join("; ")}.` : "");
      await showGame(games[0]);
    } catch (error) {
      trouble(`This is no game that can be read: ${error.message}.`);
    }
  }

  async function showGame(next) {
    end();
    if (await showOther({ fen: next.fen, moves: next.moves, ply: next.moves.length }, next)) await answer();
  }

  /** The game as PGN, in the place of the text; one that was not read is replaced when it is asked for twice. */
  async function writeGame() {
    const area = byId("pgn");
    if (area.value.trim() && ![pgn.known, pgn.warned].includes(area.value)) {
      pgn.warned = area.value;
      trouble("The text under PGN has not been read. Read it, or press write again to replace it.");
      return;
    }
    const fen = game.fen || null;
    area.value = await plumb.writePgn({ fen, moves: game.moves, tags: read.tags, result: readResult() });
    pgn.known = area.value;
    trouble("");
    area.select();
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
    usual = Object.fromEntries(FIELDS.map((name) => [name, byId(name).value]));
    byId("side").addEventListener("change", () => {
      end();
      answer();
    });
  }

  // Input -----------------------------------------------------------------------------------------------------------

  const takeBack = async () => {
    // The moves behind the start are not those that were made last.
    if (!game.ply) return;
    end();
    // Where Plumb has answered, both moves are taken back, so that the same side is to move again.
    const side = byId("side").value;
    const count = ["w", "b"].includes(side) && side !== state.turn && game.ply > 1 ? 2 : 1;
    const moves = game.moves.slice(0, game.ply - count);
    if (await show({ ...game, moves, ply: moves.length })) await answer();
  };
  const actions = {
    "new-game": () => newGame(), "take-back": takeBack,
    earlier: () => goTo(game.ply - 1), later: () => goTo(game.ply + 1),
    flip: () => (board.flip(), writeAddress()), hint, stop, clear: clearTable,
    "read-pgn": readGames, "write-pgn": writeGame,
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

  // The address -----------------------------------------------------------------------------------------------------

  /** Sets the fields as an address asks; a missing one is as at first. Returns what cannot be had, in words. */
  function setFields(asked) {
    const wrong = [];
    for (const name of FIELDS) {
      const value = asked[name] || usual[name];
      const known = [...byId(name).options].some((option) => option.value === value);
      byId(name).value = known ? value : usual[name];
      if (!known) wrong.push(`${name}=${value}`);
    }
    board.flip(asked.flip === "1");
    return wrong;
  }

  /** Shows the game of an address; of a wrong one the start, unless there is a game already. The complaint, or "". */
  async function showAsked({ fen = "", moves = "", ply, ...fields }) {
    const line = moves ? moves.split(",") : [];
    const known = ply === undefined || (/^\d+$/.test(ply) && Number(ply) <= line.length);
    const asked = { fen, moves: line, ply: known ? Number(ply ?? line.length) : line.length };
    // The game that was read, by the button Back: its tags and its result are known.
    const from = read.fen === fen && read.moves.join() === moves ? read : NO_GAME;
    const told = (await showOther(asked, from)) ? "" : byId("trouble").firstElementChild.textContent;
    if (told && state) return told;
    if (told) await showOther({ fen: "", moves: [], ply: 0 });
    const wrong = [...setFields(fields), ...(known ? [] : [`ply=${ply}`])];
    return told || (wrong.length ? `The address asks for what there is not: ${wrong.join(", ")}.` : "");
  }

  return {
    /** Shows the view as the address says. */
    async open({ view: _, ...asked }) {
      byId("about").textContent = "";
      showTable();
      if (!state || Object.keys(asked).length) {
        end();
        const complaint = await showAsked(asked);
        if (byId("board-view").hidden) return;
        trouble(complaint);
      }
      writeAddress();
      answer();
    },
    /** Before another view is shown. */
    end() {
      board.drop();
      end();
    },
  };
}
