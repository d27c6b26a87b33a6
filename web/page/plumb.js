/**
 * Plumb in a page: searches of chess, trees and traces, each in a Worker, so that the page stays awake. A Worker that
 * searches hears no message; so `stop` ends it and starts another one, whose table is empty.
 *
 *     const plumb = new Plumb(() => new Worker("plumb_worker.js", { type: "module" }));
 *     const answer = await plumb.search({ moves: ["e2e4"], backend: "mtdf", time: 1000 }, (event) => console.log(event));
 *     console.log(answer.san, answer.score, answer.line);
 *
 * Requests and answers are objects; a wrong request rejects its promise with an Error whose message is a sentence.
 */

/** A Worker and the questions that it has not answered. */
class Service {
  constructor(worker) {
    this.worker = worker;
    this.open = new Map();
    this.asked = 0;
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (event) => this.fail(new Error(event.message || "the search was interrupted"));
  }

  ask(action, given, tell = () => {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.asked;
      this.open.set(id, { resolve, reject, tell });
      this.worker.postMessage({ id, action, given });
    });
  }

  hear({ id, event, answer, error }) {
    const question = this.open.get(id);
    if (!question) return;
    if (event !== undefined) {
      question.tell(JSON.parse(event));
      return;
    }
    this.open.delete(id);
    if (error === undefined) question.resolve(answer);
    else question.reject(new Error(error));
  }

  fail(error) {
    for (const { reject } of this.open.values()) reject(error);
    this.open.clear();
  }

  end() {
    this.worker.terminate();
    this.fail(new Stopped());
  }
}

/** True of a line that is to be shown in the place of the last one: a score rather than a bound, or the first line. */
export function takesPlace(line, last) {
  return line.bound === "=" || line.finished || !last;
}

/** The reason for which a question has no answer: `stop` was called. */
export class Stopped extends Error {
  constructor() {
    super("stopped");
    this.name = "Stopped";
  }
}

export class Plumb {
  /** `start` returns a new Worker of plumb_worker.js. */
  constructor(start) {
    this.start = start;
    this.rules = new Service(start());
    this.searches = new Service(start());
    /** True while the table holds what earlier searches have found. */
    this.keepsTable = false;
  }

  async json(service, action, given, tell) {
    return JSON.parse(await service.ask(action, given, tell));
  }

  /**
   * Searches a position: `{ fen, moves, backend, mode, depth, nodes, time, elo, seed, hash }`, all of which may be
   * missing. `tell` receives `{ event: "line" | "pass" | "progress", ... }`. After `stop` the answer is the last line,
   * with `stopped: true`; where there was none, the promise is rejected with `Stopped`.
   */
  async search(request, tell = () => {}) {
    let last = null;
    const hear = (event) => {
      if (event.event === "line" && takesPlace(event, last)) last = event;
      tell(event);
    };
    this.keepsTable = true;
    try {
      return { ...(await this.json(this.searches, "search", request, hear)), stopped: false };
    } catch (error) {
      if (!(error instanceof Stopped) || !last) throw error;
      const { depth, score, bound, line, moves, nodes, time } = last;
      return { best: moves[0] ?? null, san: line[0] ?? null, depth, score, bound, line, moves, nodes, time, stopped: true };
    }
  }

  /** The record of searches of a small tree (docs/tree.md): `{ game, position, backends, depth, ... }`. */
  tree(request) {
    return this.json(this.searches, "tree", request);
  }

  /** The same record with the content of a page: `{ record, about, html }`. */
  treePage(request) {
    return this.json(this.searches, "treePage", request);
  }

  /** The passes of several drivers over one position: `{ fen, backends, depth, mode }`; `{ runs, page }`. */
  trace(request) {
    return this.json(this.searches, "trace", request);
  }

  /** Made moves of the first positions of the bench, to a depth: those of the native program. */
  bench(backend, depth, positions) {
    return this.searches.ask("bench", [backend, depth, positions]);
  }

  /** Ends whatever searches, within milliseconds; its table is lost. */
  stop() {
    const ended = this.searches;
    this.searches = new Service(this.start());
    this.keepsTable = false;
    ended.end();
  }

  /** Forgets what was searched, for another game. */
  clear() {
    this.keepsTable = false;
    return this.searches.ask("clear");
  }

  /** A position with its legal moves: `{ fen, moves }`; `{ start, fen, turn, check, chess960, line, legal, end }`. */
  position(request) {
    return this.json(this.rules, "position", request);
  }

  /** The games of a PGN: `{ games: [{ tags, fen, moves, result }], left_out }`. */
  readPgn(text) {
    return this.json(this.rules, "readPgn", text);
  }

  /** A game as PGN: `{ fen, moves, tags, result }`. */
  writePgn(request) {
    return this.rules.ask("writePgn", request);
  }

  /** The backends, levels and suites that there are, and what a page shows of them. */
  choices() {
    return this.json(this.rules, "choices");
  }
}
