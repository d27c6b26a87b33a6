/**
 * Steps through recorded searches of one tree (docs/tree.md) on a page with the elements that page.rs makes. Every
 * algorithm has a panel, and all panels show the same moment of one clock, the visits that each has made. No library,
 * nothing loaded.
 *
 * `record` is the record, `pseudocode` that of each driver. `address` keeps the moment that is shown: `read()` returns it
 * as text, `write(text)` takes it. Returns a function that ends all of this, for a page that shows another record in the
 * same place.
 */
function showTree(record, pseudocode, address) {
  const ended = new AbortController();
  const listen = (target, event, action) => target.addEventListener(event, action, { signal: ended.signal });
  const { nodes, game } = record;
  const size = nodes.parent.length;
  const byId = (id) => document.getElementById(id);

  // Words -----------------------------------------------------------------------------------------------------------

  // Names of the record, each with its words: reasons have theirs in the record, the others are written as JSON, and a
  // test compares their names with those of the program.
  const WHY = record.reasons;
  const UNCUT = new Set(["all-moves", "leaf", "game-over"]);
  const ROLE = {
    "window": "", "scout": ", scout", "research": ", searched again in the open window", "reduced": ", reduced",
    "full-depth": ", again in full depth", "null-move": ", after a null move", "verification": ", verifies the null move",
    "singular": ", singular search", "quiescence": ", quiescence"
  };
  const KIND = { "pv": "PV node", "cut": "cut node", "all": "all node" };
  const SIGN = { ">=": "≥", "<=": "≤", "=": "=" };

  /** A value in the game's unit; null is infinite in the direction of `infinite`. */
  function text(value, infinite = 1) {
    if (value === null) return infinite > 0 ? "+∞" : "−∞";
    if (Math.abs(value) >= game.infinity - 1) return value > 0 ? "+∞" : "−∞";
    if (game.mate !== null && Math.abs(value) > game.mate - 256) {
      return (value < 0 ? "−#" : "#") + Math.ceil((game.mate - Math.abs(value)) / 2);
    }
    const digits = game.unit === 1 ? 0 : 2;
    const size = (Math.abs(value) / game.unit).toFixed(digits);
    return (value < 0 ? "−" : digits && value > 0 ? "+" : "") + size;
  }

  function isNull(alpha, beta) {
    return (beta ?? game.infinity) - (alpha ?? -game.infinity) === 1;
  }

  function question(alpha, beta) {
    if (isNull(alpha, beta)) return alpha === null ? "more than −∞?" : `at least ${text(beta)}?`;
    if (alpha === null && beta === null) return "the value?";
    return `the value between ${text(alpha, -1)} and ${text(beta)}?`;
  }

  /** The path of a node, or its name in the figure. */
  function nameOf(node) {
    if (nodes.name[node]) return nodes.name[node];
    if (node === 0) return "the root";
    const moves = [];
    for (let at = node; nodes.parent[at] !== null; at = nodes.parent[at]) moves.unshift(nodes.move[at]);
    return moves.join(game.mate === null && game.unit === 1 ? "." : " ");
  }

  /** What a leaf is worth, before it is visited; empty for other nodes. */
  function leafText(node) {
    if (!nodes.leaf[node]) return "";
    const [lower, upper] = nodes.leaf[node];
    if (lower !== null) return (lower === upper ? "" : "≥") + text(lower);
    return upper === null ? "" : "≤" + text(upper);
  }

  /** What a printed value of 1 is, behind a value: " pawns"; of a tree nothing. */
  const measure = game.measure && ` ${game.measure}`;

  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  // The tree --------------------------------------------------------------------------------------------------------

  const children = Array.from({ length: size }, () => []);
  const ply = new Int32Array(size);
  const subtree = new Int32Array(size).fill(1);
  for (let node = 1; node < size; node++) {
    children[nodes.parent[node]].push(node);
    ply[node] = ply[nodes.parent[node]] + 1;
  }
  for (let node = size - 1; node > 0; node--) subtree[nodes.parent[node]] += subtree[node];
  const isMove = (node) => !/^(null move|without )/.test(nodes.move[node]);
  const named = nodes.name.some((name) => name);
  const searchesMoves = new Uint8Array(size);
  const weight = new Int32Array(size);

  // The runs: events are grouped into steps, and steps ordered by the visits made -------------------------------------

  class Run {
    constructor(source) {
      Object.assign(this, source);
      this.steps = [];
      this.passSteps = [];
      this.unsearched = new Map();
      this.labelLength = 3;
      this.group();
    }

    /** A step is an event; a visit that is answered at once is one step with its value. */
    group() {
      const { events } = this;
      const stack = [];
      let visits = 0;
      for (let first = 0; first < events.length; ) {
        const event = events[first];
        let end = first + 1;
        if (event[0] === "visit") {
          visits++;
          weight[event[1]]++;
          const next = events[end];
          if (next && next[0] === "value" && next[1] === event[1]) end++;
        }
        const starts = event[0] === "pass" || event[0] === "line";
        if (starts) this.passSteps.push(this.steps.length);
        this.steps.push({ first, end, tick: starts ? visits + 1 : visits });
        for (let at = first; at < end; at++) this.account(events[at], at, stack);
        first = end;
      }
      this.visits = visits;
    }

    /** Notes how many moves a visit left out. */
    account(event, at, stack) {
      const [kind, node] = event;
      const top = stack[stack.length - 1];
      if (kind === "visit") {
        if (top && isMove(node)) top.searched.add(node);
        if (event[7] === "interior") searchesMoves[node] = 1;
        stack.push({ node, searched: new Set(), interior: event[7] === "interior" });
      } else if (kind === "prune") {
        if (top) top.searched.add(node);
      } else if (kind === "value") {
        const { searched, interior } = stack.pop();
        const left = nodes.moves[node] - searched.size;
        if (interior && event[4] === "bound" && left > 0) this.unsearched.set(at, left);
        this.labelLength = Math.max(this.labelLength, 1 + text(event[2]).length);
      }
    }

    /** Index of the pass that contains a step. */
    passOf(step) {
      let low = 0;
      let high = this.passSteps.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.passSteps[middle] <= step) low = middle + 1;
        else high = middle;
      }
      return low - 1;
    }

    /** A step in words. */
    words(index) {
      const { first, end } = this.steps[index];
      const event = this.events[first];
      const [kind, node] = event;
      if (kind === "pass") {
        const of = event[5] === null ? "" : ` for ${nameOf(event[5])}`;
        return `Pass ${this.passName(event)}${of}: ${question(event[3], event[4])}`;
      }
      if (kind === "line") return `Completes the principal variation at ${nameOf(node)}.`;
      if (kind === "prune") {
        const bound = event[2] === null ? "" : `, worth ${nodes.max[node] ? "at least" : "at most"} ${text(event[2])}`;
        return `${nameOf(node)} is pruned${bound}: ${WHY[event[3]].words}.`;
      }
      if (kind === "end") return this.endWords(event, this.passAt(index)[5]);
      if (kind === "value") return this.valueWords(event, first);
      const asked = `${nameOf(node)} (${KIND[event[5]]}${ROLE[event[6]]})`;
      if (end - first === 1) return `${asked}: ${question(event[3], event[4])}`;
      const [, , value, sign, reason] = this.events[first + 1];
      return `${asked}: ${question(event[3], event[4])} ${SIGN[sign]} ${text(value)}, ${WHY[reason].words}.`;
    }

    /** The event of the pass that contains a step. */
    passAt(step) {
      return this.events[this.steps[this.passSteps[this.passOf(step)]].first];
    }

    /** What a pass has returned, and what is known of the value of the root, or of the move `of`. */
    endWords([, value, lower, upper], of) {
      const whose = of === null ? "the value for MAX" : `the value of ${nameOf(of)} for MAX`;
      const known = lower === upper ? text(lower) : `between ${text(lower, -1)} and ${text(upper)}`;
      return `The pass returns ${text(value)}: ${whose} is ${known}${measure}.`;
    }

    /** The result in words: the value or its bound, and the move. */
    get result() {
      const sign = this.relation === "=" ? "" : `${SIGN[this.relation]} `;
      return `${sign}${text(this.value)}${measure}${this.best ? `, move ${this.best}` : ""}`;
    }

    /** The parts of the search that a step runs, as the pseudocode names them: of the driver's loop, and of a node. */
    parts(index) {
      if (index < 0) return new Set(["start"]);
      const { first, end } = this.steps[index];
      const [kind, , , , , , role, counted] = this.events[first];
      const parts = new Set([kind === "pass" ? "ask" : kind === "line" ? "done" : "search"]);
      if (kind === "end") parts.delete("search"), parts.add(this.answered(index));
      if (index === this.steps.length - 1) parts.add("done");
      if (kind === "prune") parts.add(this.events[first][3] === "inferior" ? "inferior" : "prune");
      if (kind === "visit" && end - first === 1) parts.add(counted === "quiescence" ? "quiescence" : role);
      if (kind === "value" || end - first === 2) parts.add(this.ending(this.events[end - 1][4], counted));
      return parts;
    }

    /** How a pass ended: the value is below, above or in its window. */
    answered(index) {
      const pass = this.passAt(index);
      const value = this.events[this.steps[index].first][1];
      if (pass[4] !== null && value >= pass[4]) return "high";
      return pass[3] !== null && value <= pass[3] ? "low" : "inside";
    }

    /** The part of a node that a reason to end it belongs to. */
    ending(reason, counted) {
      if (reason === "bound") return "cut";
      if (reason === "all-moves") return "return";
      if (reason === "table" || reason === "etc" || reason === "tablebase") return "table";
      if (reason === "leaf" || reason === "game-over") return "leaf";
      return counted === "quiescence" || reason === "stand-pat" ? "quiescence" : "prune";
    }

    valueWords([, node, value, sign, reason], at) {
      const left = this.unsearched.get(at);
      const cut = left ? `; ${plural(left, "move")} cut off` : "";
      return `${nameOf(node)} ${SIGN[sign]} ${text(value)}: ${WHY[reason].words}${cut}.`;
    }

    passName([, number, depth]) {
      return this.iterations ? `${number} at depth ${depth}` : `${number}`;
    }

    /** True if the run has passes at several depths. */
    get iterations() {
      const depths = new Set(this.passSteps.map((step) => this.events[this.steps[step].first][2]));
      Object.defineProperty(this, "iterations", { value: depths.size > 1 });
      return depths.size > 1;
    }
  }

  const runs = record.runs.map((source) => new Run(source));

  /** One clock: moment m shows the first `done[run][m]` steps of every run. Tick by tick, all steps of a visit. */
  const done = (() => {
    const cursors = runs.map(() => 0);
    const columns = runs.map(() => [0]);
    const last = Math.max(...runs.map((run) => run.visits));
    for (let tick = 0; tick <= last; tick++) {
      const counts = runs.map((run, index) => {
        let end = cursors[index];
        while (end < run.steps.length && run.steps[end].tick === tick) end++;
        return end - cursors[index];
      });
      for (let step = 1; step <= Math.max(...counts); step++) {
        counts.forEach((count, index) => columns[index].push(cursors[index] + Math.min(step, count)));
      }
      counts.forEach((count, index) => (cursors[index] += count));
    }
    return columns.map((column) => Int32Array.from(column));
  })();
  const lastMoment = done[0].length - 1;

  /** The first moment at which a step of a run is done. */
  function momentOf(run, step) {
    let low = 0;
    let high = lastMoment;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (done[run][middle] > step) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // The state of a run after some steps -----------------------------------------------------------------------------

  const OPEN = { lower: null, upper: null };

  class State {
    constructor(run) {
      this.run = run;
      this.reset();
    }

    reset() {
      this.done = 0;
      this.pass = 0;
      this.stack = [];
      this.counts = { passes: 0, visits: 0, leaf: 0, interior: 0, quiescence: 0, table: 0, tablebase: 0 };
      this.bracket = OPEN;
      this.brackets = new Map(); // of each move that has passes of its own, and of the root (null)
      this.of = null;
      this.window = null;
      this.current = -1;
      this.visits = new Int32Array(size);
      this.below = new Int32Array(size);
      this.stamp = new Int32Array(size);
      this.again = new Uint8Array(size);
      this.table = new Uint8Array(size);
      this.onStack = new Uint8Array(size);
      this.prunedIn = new Int32Array(size);
      this.lower = new Array(size).fill(null);
      this.upper = new Array(size).fill(null);
      this.depth = new Int32Array(size).fill(-1);
      this.label = new Array(size).fill("");
      this.reason = new Array(size).fill("");
      this.returned = new Array(size); // what the moves of a node have returned in its last visit
    }

    goTo(steps) {
      if (steps < this.done) this.reset();
      while (this.done < steps) {
        const { first, end } = this.run.steps[this.done++];
        for (let at = first; at < end; at++) this.apply(this.run.events[at]);
      }
    }

    apply(event) {
      const [kind, node] = event;
      if (kind === "pass" || kind === "line") this.begin(event);
      else if (kind === "visit") this.visit(event);
      else if (kind === "value") this.value(event);
      else if (kind === "prune") {
        this.stack[this.stack.length - 1]?.done.push(node);
        this.prunedIn[node] = this.pass;
        this.reason[node] = event[3];
        this.current = node;
      } else {
        this.bracket = { lower: event[2], upper: event[3] };
        this.brackets.set(this.of, this.bracket);
      }
    }

    /** The bracket with which a pass begins: that of its move, or of the root. */
    bracketOf(depth, of) {
      return (depth === this.iteration && this.brackets.get(of)) || OPEN;
    }

    begin([kind, , depth, alpha, beta, of = null]) {
      this.pass++;
      this.current = -1;
      if (kind === "line") return;
      this.counts.passes++;
      this.window = { alpha, beta };
      if (depth !== this.iteration) this.brackets.clear();
      this.iteration = depth;
      this.of = of;
      this.bracket = this.bracketOf(depth, of);
    }

    visit([, node, depth, alpha, beta, , , counted]) {
      this.again[node] = this.visits[node] > 0 ? 1 : 0;
      this.visits[node]++;
      this.stamp[node] = this.pass;
      this.table[node] = counted === "table" ? 1 : 0;
      this.counts.visits++;
      this.counts[counted]++;
      this.onStack[node]++;
      this.stack[this.stack.length - 1]?.done.push(node);
      this.stack.push({ node, alpha, beta, done: [], found: [], before: this.returned[node] ?? [] });
      this.current = node;
      for (let at = node; at !== null; at = nodes.parent[at]) this.below[at]++;
      if (this.depth[node] !== depth) {
        this.lower[node] = this.upper[node] = null;
        this.depth[node] = depth;
      }
    }

    value([, node, value, sign, reason]) {
      this.returned[node] = this.stack.pop().found;
      this.stack[this.stack.length - 1]?.found.push({ child: node, value, sign });
      this.onStack[node]--;
      this.current = node;
      this.reason[node] = reason;
      if (sign !== "<=") this.lower[node] = value;
      if (sign !== ">=") this.upper[node] = value;
      const exact = this.lower[node] !== null && this.lower[node] === this.upper[node];
      this.label[node] = (exact ? "=" : SIGN[sign]) + text(value);
    }

    /** The class of a node in the picture. */
    look(node) {
      const now = this.pass > 0 && this.stamp[node] === this.pass;
      let look = "unseen";
      if (now && this.table[node]) look = "table";
      else if (now) look = this.again[node] ? "again" : "fresh";
      else if (this.prunedIn[node] === this.pass && this.pass > 0) look = "pruned";
      else if (this.visits[node]) look = "seen";
      return look + (node === this.current ? " current" : "");
    }

    /** The class of the line to a node. */
    edge(node) {
      const parent = nodes.parent[node];
      const now = this.stamp[node] === this.pass && this.pass > 0;
      if (this.onStack[node] || node === this.current) return "edge path";
      if (now) return "edge now";
      if (this.prunedIn[node] === this.pass && this.pass > 0) return "edge pruned";
      const passed = this.pass > 0 && this.stamp[parent] === this.pass && !this.onStack[parent];
      if (passed && !this.table[parent] && !UNCUT.has(this.reason[parent])) return "edge cut";
      return this.visits[node] ? "edge before" : "edge";
    }

    badge(node) {
      const now = this.stamp[node] === this.pass || this.prunedIn[node] === this.pass;
      return now && this.pass > 0 && !this.onStack[node] ? (WHY[this.reason[node]]?.badge ?? "") : "";
    }
  }

  // The picture -----------------------------------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  const LEVEL = 62;
  const WIDE = 9; // moves of a node that are drawn, unless the reader asks for all

  function svg(name, attributes, parent, content) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (content !== undefined) element.textContent = content;
    if (parent) parent.append(element);
    return element;
  }

  const longestLeaf = nodes.leaf.reduce((most, _, node) => Math.max(most, leafText(node).length), 0);
  const longest = nodes.move.reduce((most, move, node) => Math.max(most, nodes.name[node] ? 0 : move.length), 1);
  const narrowest = Math.max(21, 7 * Math.max(longestLeaf, ...runs.map((run) => run.labelLength)), 5.6 * Math.min(longest, 10));
  for (let node = size - 1; node > 0; node--) weight[nodes.parent[node]] += weight[node];

  // Leaves that are unfolded at first, about: as many as a panel shows with labels that can be read.
  const shownAtFirst = document.querySelectorAll(".panel:not([hidden])").length;
  const ROOM = Math.min(48, Math.max(14, Math.round((1.4 * byId("race").clientWidth) / shownAtFirst / narrowest)));

  /** The moves of a node that are drawn of themselves: all of a few, of many those with the most visits. */
  function foremost(node) {
    const all = children[node];
    return all.length <= WIDE + 1 ? all : [...all].sort((a, b) => weight[b] - weight[a]).slice(0, WIDE);
  }

  /** Nodes that are unfolded: all of a small tree; of a large one those with the most visits. */
  const opened = new Set();
  const fits = (() => {
    const inner = [];
    let leaves = 0;
    for (let node = 0; node < size; node++) children[node].length ? inner.push(node) : leaves++;
    const small = leaves <= Math.min(64, 1.5 * ROOM);
    if (small) inner.forEach((node) => opened.add(node));
    else {
      opened.add(0);
      const edge = [...foremost(0)];
      const takes = (node) => Math.min(children[node].length, WIDE + 1) - 1;
      for (let room = ROOM - takes(0); ; ) {
        const able = edge.filter((node) => children[node].length && takes(node) <= room);
        if (!able.length) break;
        const best = able.reduce((a, b) => (weight[b] > weight[a] ? b : a));
        room -= takes(best);
        opened.add(best);
        edge.splice(edge.indexOf(best), 1, ...foremost(best));
      }
    }
    return small;
  })();

  const widened = new Set();

  /** The moves of an unfolded node that are drawn: of many, those with the most visits and those in `open`. */
  function drawnChildren(node, open) {
    const all = children[node];
    if (all.length <= WIDE + 1 || fits || widened.has(node)) return all;
    const kept = new Set(foremost(node));
    return all.filter((child) => kept.has(child) || open.has(child) || open.path.has(child));
  }

  /** Places of the visible nodes, for all panels alike. With "fit" they are as near as the panel needs, and smaller. */
  let layout = null;
  let layoutKey = "";

  function arrange(open, { width: available, height: room }) {
    const places = new Map();
    let slot = 0.55;
    let deepest = 0;
    const walk = (node) => {
      deepest = Math.max(deepest, ply[node]);
      const below = open.has(node) ? drawnChildren(node, open) : [];
      const place = { x: 0, y: 0, folded: !below.length && children[node].length > 0, more: 0 };
      places.set(node, place);
      if (!below.length) {
        place.x = slot++;
        return place.x;
      }
      const xs = below.map(walk);
      const hidden = children[node].length - below.length;
      const left = searchesMoves[node] ? nodes.moves[node] - below.filter(isMove).length : 0;
      if (hidden > 0 || left > 0) {
        place.more = Math.max(hidden, left);
        place.hidden = hidden;
        place.moreX = slot - 0.4;
        slot += 0.6;
      }
      place.x = (xs[0] + xs[xs.length - 1]) / 2;
      return place.x;
    };
    walk(0);
    const width = slot + 0.1;
    const roomy = Math.min(available / width, 70);
    const unit = fit ? roomy : Math.max(narrowest, roomy);
    const level = fit ? Math.min(LEVEL, (room - 80) / Math.max(deepest, 1)) : LEVEL;
    const scale = fit ? Math.min(1, unit / narrowest, level / LEVEL) : 1;
    for (const [node, place] of places) {
      place.x *= unit;
      place.y = 26 + level * ply[node];
      if (place.more) place.moreX *= unit;
    }
    layout = { places, scale, width: Math.floor(unit * width), height: Math.floor(26 + level * deepest + 52) };
  }

  class Panel {
    constructor(index) {
      this.index = index;
      this.run = runs[index];
      this.state = new State(this.run);
      this.element = document.querySelector(`.panel[data-run="${index}"]`);
      this.canvas = this.element.querySelector(".canvas");
      this.drawn = new Map();
      this.layoutKey = null;
      const part = (name) => this.element.querySelector(name);
      this.words = part(".words");
      this.finished = part(".finished");
      this.bracket = part(".bracket");
      this.counts = [...this.element.querySelectorAll("[data-count]")];
      part(".quiescence").hidden = !this.run.counts.quiescence;
      this.code = this.writeCode(part(".code"));
      this.chips = this.makeChips(part(".passes"));
    }

    makeChips(list) {
      return this.run.passSteps.map((step, index) => {
        const event = this.run.events[this.run.steps[step].first];
        const chip = document.createElement("button");
        chip.type = "button";
        chip.dataset.pass = index + 1;
        listen(chip, "click", () => goTo(momentOf(this.index, step), this.index));
        list.append(chip);
        return chip;
      });
    }

    /** The words of a pass; while questions are asked, those of a later one would be the answer. */
    nameChip(chip, event, later) {
      if (event[0] === "line") chip.textContent = "line";
      else {
        const depth = this.run.iterations ? `depth ${event[2]} · ` : "";
        const asks = isNull(event[3], event[4]) ? `≥${text(event[4])}?` : `${text(event[3], -1)}…${text(event[4])}?`;
        chip.textContent = later && asking.on ? `${depth}${event[1]}` : `${depth}${event[1]}: ${asks}`;
      }
    }

    /** The pseudocode of the algorithm, a line each with the parts of a search that it stands for. */
    writeCode(list) {
      const { loop, node } = pseudocode[this.run.alias];
      const lines = [...loop, ...node].filter(({ chess }) => !chess || game.mate !== null);
      return lines.map(({ text, runs }, at) => {
        const line = Object.assign(document.createElement("li"), { textContent: text });
        if (at === loop.length) line.className = "routine";
        list.append(line);
        return { line, runs };
      });
    }

    /** Marks the lines that the last step has run. */
    markCode(steps) {
      const parts = this.run.parts(steps - 1);
      for (const { line, runs } of this.code) {
        if (runs.some((part) => parts.has(part))) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
      }
    }

    get shown() {
      return !this.element.hidden;
    }

    show(moment) {
      const steps = done[this.index][moment];
      this.state.goTo(steps);
      this.element.dataset.step = steps;
      for (const count of this.counts) {
        const value = this.state.counts[count.dataset.count];
        if (count.textContent !== `${value}`) count.textContent = value;
      }
      const over = steps === this.run.steps.length;
      this.words.textContent = steps ? this.run.words(steps - 1) : "Before the first pass.";
      this.finished.textContent = over ? ` · finished: ${this.run.result}` : "";
      this.markCode(steps);
      this.showPass(this.run.passOf(steps - 1));
      this.drawBracket();
      this.draw();
    }

    /** Sizes of the panel, read once: to read them after a drawing makes the browser lay out the page at once. */
    measure() {
      if (this.view) return;
      this.view = { width: this.canvas.clientWidth, height: parseFloat(getComputedStyle(this.canvas).maxHeight) || 544 };
      this.axisWidth = Math.max(200, this.bracket.clientWidth);
      this.bracketKey = "";
    }

    showPass(pass) {
      const key = `${pass}:${asking.on}`;
      if (key === this.passKey) return;
      Object.assign(this, { pass, passKey: key });
      this.chips.forEach((chip, index) => {
        this.nameChip(chip, this.run.events[this.run.steps[this.run.passSteps[index]].first], index > pass);
        chip.classList.toggle("done", index < pass);
        if (index === pass) chip.setAttribute("aria-current", "true");
        else chip.removeAttribute("aria-current");
      });
      this.passMoved = true;
    }

    /** The bracket of the value and the window of the pass, on a common axis. */
    drawBracket() {
      const { lower, upper } = this.state.bracket;
      const asked = this.state.window;
      const width = this.axisWidth;
      const key = [lower, upper, asked && asked.alpha, asked && asked.beta, width].join();
      if (key === this.bracketKey) return;
      this.bracketKey = key;
      const at = (value) => 10 + ((width - 20) * (Math.min(Math.max(value, axis.low), axis.high) - axis.low)) / (axis.high - axis.low);
      const picture = svg("svg", { width, height: 46, role: "img", "aria-label": `bracket ${text(lower, -1)} to ${text(upper)}` });
      const [left, right] = [at(lower ?? -Infinity), at(upper ?? Infinity)];
      svg("rect", { class: lower !== null && lower === upper ? "band closed" : "band", x: left - 1.5, y: 8, width: Math.max(3, right - left + 3), height: 14 }, picture);
      svg("line", { class: "axis", x1: 10, x2: width - 10, y1: 22, y2: 22 }, picture);
      if (asked) {
        const [from, to] = [at(asked.alpha ?? -Infinity), at(asked.beta ?? Infinity)];
        if (isNull(asked.alpha, asked.beta)) svg("path", { class: "ask", d: `M${to} 21l-5 -12h10z` }, picture);
        else svg("rect", { class: "ask", x: from, y: 18, width: Math.max(2, to - from), height: 4 }, picture);
      }
      svg("text", { x: 10, y: 38 }, picture, `f− ${text(lower, -1)}`);
      svg("text", { x: width - 10, y: 38, "text-anchor": "end" }, picture, `f+ ${text(upper)}`);
      if (asked) svg("text", { x: width / 2, y: 38, "text-anchor": "middle" }, picture, question(asked.alpha, asked.beta));
      this.bracket.replaceChildren(picture);
    }

    /** Builds or moves the elements of the visible nodes, then sets their looks. */
    draw() {
      if (this.layoutKey !== layoutKey) this.place();
      for (const [node, parts] of this.drawn) this.update(node, parts);
    }

    /** Takes over a new layout: elements that stay are moved, in the order of the tree. */
    place() {
      this.layoutKey = layoutKey;
      if (!this.picture) {
        this.picture = svg("svg", { role: "group", "aria-label": `tree as ${this.run.driver} has searched it` });
        this.lines = svg("g", {}, this.picture);
        this.canvas.replaceChildren(this.picture);
      }
      this.picture.setAttribute("width", layout.width);
      this.picture.setAttribute("height", layout.height);
      const focused = this.picture.contains(document.activeElement) ? document.activeElement.dataset : null;
      for (const [node, parts] of this.drawn) {
        if (layout.places.get(node)?.folded !== parts.place.folded) this.remove(node, parts);
      }
      let last = this.lines;
      for (const [node, place] of layout.places) {
        const parts = this.drawn.get(node) ?? this.build(node, place.folded);
        if (last.nextSibling !== parts.group) last.after(parts.group, parts.more);
        last = parts.more;
        this.move(node, parts, place);
      }
      if (focused) this.focusAgain(Number(focused.node ?? focused.more));
    }

    /** Gives the focus back to a node whose element was built anew, or to the one above that is drawn. */
    focusAgain(node) {
      if (this.picture.contains(document.activeElement) && !document.activeElement.hasAttribute("aria-hidden")) return;
      while (node > 0 && !this.drawn.has(node)) node = nodes.parent[node];
      this.drawn.get(node)?.group.focus({ preventScroll: true });
    }

    remove(node, parts) {
      for (const part of [parts.group, parts.more, parts.edge, parts.tick]) part?.remove();
      this.drawn.delete(node);
    }

    move(node, parts, place) {
      const { x, y, more, moreX, hidden } = place;
      const { scale } = layout;
      const above = layout.places.get(nodes.parent[node]);
      const key = [x, y, above && above.x, above && above.y, scale, more, moreX, hidden].join();
      if (parts.placeKey === key) return;
      Object.assign(parts, { place, placeKey: key });
      parts.group.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
      this.moveMore(node, parts.more, place);
      if (!above) return;
      const between = (name, from, to) => parts[name].setAttribute("d", `M${from[0]} ${from[1]}L${to[0]} ${to[1]}`);
      between("edge", [above.x, above.y + 9 * scale], [x, y - 9 * scale]);
      const [mx, my] = [(above.x + 2 * x) / 3, (above.y + 2 * y) / 3];
      between("tick", [mx - 5 * scale, my], [mx + 5 * scale, my]);
    }

    /** The number of moves that are not drawn: a button where a click can show some of them. */
    moveMore(node, element, { y, more, moreX, hidden }) {
      const { scale } = layout;
      element.textContent = more ? `+${more}` : "";
      element.setAttribute("class", hidden ? "more hidden-moves" : "more");
      element.setAttribute("transform", `translate(${more ? moreX : 0} ${y + (LEVEL + 4) * scale}) scale(${scale})`);
      const label = `show ${plural(hidden, "more move")} of ${nameOf(node)}`;
      const button = { role: "button", tabindex: 0, "aria-label": label };
      for (const name in button) {
        if (hidden) element.setAttribute(name, button[name]);
        else element.removeAttribute(name);
      }
      element.toggleAttribute("aria-hidden", !hidden);
    }

    build(node, folded) {
      const group = svg("g", { class: "node", "data-node": node, tabindex: 0, role: "button" });
      const parts = { group, place: { folded } };
      if (node) {
        parts.edge = svg("path", {}, this.lines);
        parts.tick = svg("path", { class: "tick" }, this.lines);
      }
      if (children[node].length) group.setAttribute("aria-expanded", !folded);
      if (nodes.max[node]) {
        svg("rect", { class: "halo", x: -12, y: -12, width: 24, height: 24 }, group);
        svg("rect", { class: "shape", x: -8.5, y: -8.5, width: 17, height: 17, rx: 2 }, group);
      } else {
        svg("circle", { class: "halo", r: 13 }, group);
        svg("circle", { class: "shape", r: 9.5 }, group);
      }
      const name = nodes.name[node];
      if (name) svg("text", { class: "name", y: 4 }, group, name);
      else if (node && !named) svg("text", { class: "move", y: -14 }, group, nodes.move[node].slice(0, 12));
      parts.label = svg("text", { class: "label", y: 21 }, group);
      parts.badge = svg("text", { class: "badge", x: 6, y: -10 }, group);
      if (folded) {
        svg("path", { class: "fold", d: "M0 25l11 15h-22z" }, group);
        parts.fold = svg("text", { class: "label", y: 50 }, group);
      }
      parts.more = svg("text", { "data-more": node });
      this.drawn.set(node, parts);
      return parts;
    }

    update(node, parts) {
      const { state } = this;
      const busy = parts.fold && state.current >= 0 && state.current !== node && isBelow(state.current, node);
      const look = `node ${state.look(node)}${busy ? " busy" : ""}${node === chosen ? " chosen" : ""}`;
      const ahead = state.label[node] ? "" : leafText(node);
      const label = state.label[node] || ahead;
      const badge = state.badge(node);
      const count = parts.fold ? state.below[node] : 0;
      const key = `${look}|${label}|${ahead}|${badge}|${count}`;
      if (key !== parts.key) {
        parts.key = key;
        parts.group.setAttribute("class", look);
        parts.label.textContent = label;
        parts.label.setAttribute("class", ahead ? "label ahead" : "label");
        parts.badge.textContent = badge;
        if (parts.fold) parts.fold.textContent = `▽ ${count}`;
        const seen = state.visits[node] ? `${state.label[node] || "visited"}, ${plural(state.visits[node], "visit")}` : "not visited";
        parts.group.setAttribute("aria-label", `${nodes.max[node] ? "MAX" : "MIN"} ${nameOf(node)}: ${seen}${parts.fold ? `, ${count} visits folded` : ""}`);
      }
      if (!parts.edge) return;
      const edge = state.edge(node);
      if (edge === parts.edgeKey) return;
      parts.edgeKey = edge;
      parts.edge.setAttribute("class", edge);
      parts.tick.setAttribute("class", edge === "edge cut" ? "tick on" : "tick");
    }

    /** Keeps the last visit and the running pass in view. */
    scroll() {
      const chip = this.passMoved && this.chips[this.pass];
      if (chip) chip.parentNode.scrollLeft = chip.offsetLeft - chip.parentNode.offsetLeft - 40;
      this.passMoved = false;
      let at = this.state.current;
      while (at > 0 && !layout.places.has(at)) at = nodes.parent[at];
      const place = layout.places.get(Math.max(at, 0));
      if (fit) return;
      const { clientWidth: width, clientHeight: height, scrollLeft: left, scrollTop: top } = this.canvas;
      if (layout.width > width && (place.x < left + 40 || place.x > left + width - 40)) {
        this.canvas.scrollLeft = place.x - width / 2;
      }
      if (layout.height > height && (place.y < top + 20 || place.y > top + height - 60)) {
        this.canvas.scrollTop = place.y - height / 2;
      }
    }
  }

  function isBelow(node, above) {
    while (node !== null && node > above) node = nodes.parent[node];
    return node === above;
  }

  /** The axis of values: all that passes returned or asked, mates and infinities at the edges. */
  const axis = (() => {
    let [low, high] = [Infinity, -Infinity];
    const take = (value) => {
      if (value === null || Math.abs(value) >= game.infinity - 1) return;
      if (game.mate !== null && Math.abs(value) > game.mate - 256) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    };
    for (const run of runs) {
      for (const step of run.steps) {
        const event = run.events[step.first];
        if (event[0] === "pass") [event[3], event[4]].forEach(take);
        if (event[0] === "end") event.slice(1).forEach(take);
      }
    }
    if (low > high) [low, high] = [-1, 1];
    const margin = Math.max(1, 0.12 * (high - low));
    return { low: low - margin, high: high + margin };
  })();

  // The moment shown ------------------------------------------------------------------------------------------------

  const panels = runs.map((_, index) => new Panel(index));
  const slider = byId("moment");
  const follow = byId("follow");
  const listed = { run: -1, first: -1, end: -1 };
  let moment = 0;
  let lead = 0;
  let chosen = -1;
  let timer = 0;
  let fit = true;
  /** False while a page shows something else. */
  const isShown = () => byId("race").offsetParent !== null;

  /** Unfolded nodes: those of the reader, and with "follow" the way to the last visit. */
  function unfold() {
    const open = new Set(opened);
    open.path = new Set();
    if (follow.checked) {
      for (let at = panels[lead].state.current; at > 0; at = nodes.parent[at]) {
        open.path.add(at);
        open.add(nodes.parent[at]);
      }
    }
    const views = panels.filter((panel) => panel.shown).map((panel) => panel.view);
    const available = { width: Math.min(...views.map((view) => view.width)), height: Math.min(...views.map((view) => view.height)) };
    const sorted = (set) => [...set].sort((a, b) => a - b).join();
    const path = fits ? "" : sorted(open.path);
    const key = `${fit}:${available.width}:${sorted(open)}:${sorted(widened)}:${path}`;
    if (key === layoutKey) return;
    layoutKey = key;
    arrange(open, available);
  }

  function show() {
    const shown = panels.filter((panel) => panel.shown);
    for (const panel of shown) panel.measure();
    panels[lead].state.goTo(done[lead][moment]);
    unfold();
    for (const panel of shown) panel.show(moment);
    cancelAnimationFrame(show.frame);
    show.frame = requestAnimationFrame(() => shown.forEach((panel) => panel.scroll()));
    slider.value = moment;
    const visits = panels[lead].state.counts.visits;
    byId("clock").textContent = `${plural(visits, "visit")} · moment ${moment} of ${lastMoment}`;
    slider.setAttribute("aria-valuetext", panels[lead].words.textContent);
    showList();
    showNode();
    showPosition();
    if (asking.on) ask();
    writeAddress();
  }

  function goTo(wanted, driver = lead) {
    moment = Math.min(Math.max(Math.round(wanted) || 0, 0), lastMoment);
    if (driver !== lead) setLead(driver);
    show();
  }

  function setLead(driver) {
    lead = driver;
    panels[driver].element.hidden = false;
    panels.forEach((panel, index) => {
      panel.element.classList.toggle("lead-panel", index === driver);
      if (index === driver) panel.words.setAttribute("aria-live", "polite");
      else panel.words.removeAttribute("aria-live");
    });
    markDrivers();
  }

  function markDrivers() {
    for (const button of document.querySelectorAll(".driver")) {
      button.setAttribute("aria-pressed", panels[button.dataset.run].shown);
    }
    byId("race").style.setProperty("--shown", panels.filter((panel) => panel.shown).length);
    panels.forEach((panel) => (panel.view = null));
  }

  /** A click on a driver: shows its panel and leads with it; of the one that leads, hides it if others are shown. */
  function toggleDriver(driver) {
    const panel = panels[driver];
    const others = panels.filter((other) => other.shown && other !== panel);
    if (panel.shown && driver === lead && others.length) {
      panel.element.hidden = true;
      setLead(others[0].index);
    } else setLead(driver);
    show();
  }

  /** The next pass of the leading driver, or the one before. */
  function goToPass(direction) {
    const { run, index } = panels[lead];
    const moments = run.passSteps.map((step) => momentOf(index, step));
    const found = direction > 0 ? moments.find((at) => at > moment) : moments.findLast((at) => at < moment);
    goTo(found ?? (direction > 0 ? lastMoment : 0));
  }

  function play(on) {
    clearInterval(timer);
    timer = 0;
    if (on && moment >= lastMoment) moment = 0;
    if (on) {
      timer = setInterval(() => {
        if (moment >= lastMoment || !isShown()) play(false);
        else goTo(moment + 1);
      }, Number(byId("speed").value));
    }
    byId("play").textContent = on ? "⏸" : "▶";
    byId("play").setAttribute("aria-label", on ? "pause" : "play");
  }

  // The list, the node, the address ---------------------------------------------------------------------------------

  const MOST = 300;

  /** The steps of the running pass of the leading driver, in words. */
  function showList() {
    const { run } = panels[lead];
    const end = done[lead][moment];
    const pass = run.passOf(end - 1);
    const first = pass < 0 ? 0 : run.passSteps[pass];
    const list = byId("list");
    const same = listed.run === lead && listed.first === first && listed.end <= end && end - listed.end < MOST;
    if (!same) list.replaceChildren();
    const from = Math.max(same ? listed.end : first, end - MOST);
    for (let step = from; step < end; step++) {
      const item = document.createElement("li");
      item.value = step - first + 1;
      item.textContent = run.words(step);
      list.append(item);
    }
    while (list.children.length > MOST) list.firstChild.remove();
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    list.lastChild?.setAttribute("aria-current", "step");
    Object.assign(listed, { run: lead, first, end });
    const hidden = end - first - list.children.length;
    byId("listed").textContent = end
      ? `${run.driver}, ${plural(end - first, "step")} of this pass${hidden > 0 ? `; the first ${hidden} are not listed` : ""}.`
      : "Nothing has been searched yet.";
  }

  /** The visits of the chosen node by the leading driver, up to now. */
  function showNode() {
    const { run } = panels[lead];
    const before = byId("node").nextElementSibling;
    before?.remove();
    if (chosen < 0) {
      if (before) byId("node").textContent = "Choose a node of a tree.";
      return;
    }
    const rows = [];
    let pass = "";
    for (let step = 0; step < done[lead][moment]; step++) {
      const { first, end } = run.steps[step];
      for (let at = first; at < end; at++) {
        const event = run.events[at];
        if (event[0] === "pass") pass = `pass ${run.passName(event)}`;
        if (event[1] !== chosen) continue;
        if (event[0] === "visit") rows.push(`${pass}: ${KIND[event[5]]}${ROLE[event[6]]}, depth ${event[2]}; ${question(event[3], event[4])}`);
        if (event[0] === "value") rows.push(`${pass}: ${run.valueWords(event, at)}`);
        if (event[0] === "prune") rows.push(`${pass}: pruned, ${WHY[event[3]].words}`);
      }
    }
    const twins = nodes.position.reduce((count, position) => count + (position === nodes.position[chosen] ? 1 : 0), 0) - 1;
    const facts = [
      `${nodes.max[chosen] ? "MAX" : "MIN"} is to move`, plural(nodes.moves[chosen], "move"),
      twins ? `the same position at ${plural(twins, "other node")}` : "", `${run.driver}: ${rows.length ? "" : "not visited yet"}`,
    ];
    const list = document.createElement("ul");
    for (const row of rows.slice(-40)) list.append(Object.assign(document.createElement("li"), { textContent: row }));
    const title = Object.assign(document.createElement("b"), { textContent: nameOf(chosen) });
    byId("node").replaceChildren(title, ` · ${facts.filter(Boolean).join(" · ")}`);
    byId("node").after(list);
  }

  /** The board of the chosen node; without one that of the last visit. */
  function showPosition() {
    const board = document.querySelector("#board svg");
    if (!board) return;
    const node = chosen >= 0 ? chosen : Math.max(panels[lead].state.current, 0);
    const key = `${node}:${chosen}`;
    if (showPosition.key === key) return;
    showPosition.key = key;
    const text = (of) => nodes.boards[nodes.position[of]];
    showBoard(board, text(node), nodes.parent[node] === null ? null : text(nodes.parent[node]));
    byId("shown").textContent = chosen >= 0 ? nameOf(node) : `the last visit: ${nameOf(node)}`;
  }

  // Questions -------------------------------------------------------------------------------------------------------

  const aboutStep = questionsAbout({ nodes, children, isMove, infinity: game.infinity }, { text, question, nameOf, SIGN });
  const asking = { on: false, found: null, answered: new Map(), states: new Map() };

  /** The next step of the leading driver, from some step on, that there is a question about. */
  function nextQuestion(from) {
    const { run } = panels[lead];
    if (!asking.states.has(lead)) asking.states.set(lead, new State(run));
    const state = asking.states.get(lead);
    for (let step = from; step < run.steps.length; step++) {
      state.goTo(step);
      const question = aboutStep(run, state, step);
      if (question) return { step, ...question };
    }
    return null;
  }

  /** Shows the question about the next step. */
  function ask() {
    const step = done[lead][moment];
    const key = `${lead}:${step}`;
    if (asking.key === key) return;
    asking.key = key;
    asking.found = nextQuestion(step);
    const { found } = asking;
    const here = found && found.step === step;
    byId("asked").textContent = here ? found.asked : found ? "There is nothing to foresee in this step." : "The search is over.";
    const answers = here ? found.answers : found ? ["to the next question"] : [];
    const hadFocus = byId("answers").contains(document.activeElement);
    byId("answers").replaceChildren(...answers.map((answer, index) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      if (here) button.append(Object.assign(document.createElement("b"), { textContent: "abcdefgh"[index] }));
      button.append(answer);
      listen(button, "click", () => answerWith(index));
      return button;
    }));
    if (hadFocus) (byId("answers").firstElementChild ?? byId("ask")).focus();
    if (asking.told !== step) say("", "");
    showScore();
  }

  function say(words, verdict) {
    byId("feedback").textContent = words;
    byId("feedback").className = verdict;
  }

  function showScore() {
    const given = [...asking.answered.values()];
    const right = given.filter((answer) => answer).length;
    byId("score").textContent = given.length ? `Score: ${right} of ${given.length} right.` : "Score: no answer yet.";
  }

  /** Goes to the moment before a step of the leading driver. */
  const goBefore = (step) => goTo(step ? momentOf(lead, step - 1) : 0);

  /** Takes an answer, tells what the search does, and goes on to the next question. The first answer to a question counts. */
  function answerWith(index) {
    const { found } = asking;
    play(false);
    if (!found || found.step !== done[lead][moment]) {
      if (found) goBefore(found.step);
      return;
    }
    const { step, right, answers } = found;
    if (index >= answers.length) return;
    const key = `${lead}:${step}`;
    if (!asking.answered.has(key)) asking.answered.set(key, index === right);
    const next = nextQuestion(step + 1);
    const after = next ? next.step : panels[lead].run.steps.length;
    asking.told = after;
    goBefore(after);
    const truth = panels[lead].run.words(step);
    say(index === right ? `Right: ${answers[right]}. ${truth}` : `Not “${answers[index]}” but “${answers[right]}”. ${truth}`, index === right ? "right" : "wrong");
  }

  function setAsking(on) {
    asking.on = on;
    asking.key = "";
    byId("question").hidden = !on;
    byId("results").open = !on;
    byId("ask").setAttribute("aria-pressed", on);
  }

  function setFit(on) {
    fit = on;
    byId("fit").setAttribute("aria-pressed", on);
  }

  /** Draws all moves of a node. */
  function widen(node) {
    widened.add(node);
    show();
  }

  /** A click on a node: shows it; on a folded one, or again on an unfolded one of a large tree, turns it. */
  function choose(node) {
    const foldable = children[node].length > 0;
    const folded = layout.places.get(node)?.folded;
    if (foldable && folded) opened.add(node);
    else if (foldable && node === chosen && node > 0) opened.delete(node);
    chosen = node;
    show();
  }

  function writeAddress() {
    const shown = panels.filter((panel) => panel.shown).map((panel) => panel.run.alias);
    const more = `${chosen >= 0 ? `&node=${chosen}` : ""}${fit ? "" : "&fit=0"}${asking.on ? "&ask=1" : ""}`;
    const text = `step=${moment}&drivers=${shown.join(",")}&lead=${runs[lead].alias}${more}`;
    clearTimeout(writeAddress.timer);
    writeAddress.timer = setTimeout(() => text === address.read() || address.write(text), 120);
  }

  /** Reads `step=12&drivers=mtdf,sss&lead=sss&node=3&fit=0&ask=1`, or `driver=sss&pass=2`. */
  function readAddress() {
    const asked = new URLSearchParams(address.read());
    const index = (alias) => runs.findIndex((run) => run.alias === alias);
    const shown = (asked.get("drivers") ?? "").split(",").map(index).filter((run) => run >= 0);
    const narrow = matchMedia("(max-width: 48rem)").matches;
    if (shown.length) panels.forEach((panel) => (panel.element.hidden = !shown.includes(panel.index)));
    const driver = index(asked.get("driver") ?? asked.get("lead") ?? "");
    const leads = driver >= 0 ? driver : (panels.find((panel) => panel.shown)?.index ?? 0);
    if (!shown.length && narrow) panels.forEach((panel) => (panel.element.hidden = panel.index !== leads));
    setLead(leads);
    const node = Number(asked.get("node") ?? NaN);
    chosen = Number.isInteger(node) && node >= 0 && node < size ? node : -1;
    setFit(asked.get("fit") !== "0");
    setAsking(asked.get("ask") === "1");
    const pass = runs[lead].passSteps[Number(asked.get("pass")) - 1];
    goTo(pass === undefined ? Number(asked.get("step")) : momentOf(lead, pass));
  }

  // Input -----------------------------------------------------------------------------------------------------------

  const actions = {
    first: () => goTo(0),
    before: () => goToPass(-1),
    back: () => goTo(moment - 1),
    play: () => play(!timer),
    forward: () => goTo(moment + 1),
    after: () => goToPass(1),
    last: () => goTo(lastMoment),
    fit: () => (setFit(!fit), show()),
    ask: () => (setAsking(!asking.on), show()),
  };
  const PLAYS_ON = new Set(["play", "fit"]);
  const KEYS = {
    ArrowRight: "forward", ArrowLeft: "back", "]": "after", "[": "before", PageDown: "after", PageUp: "before",
    Home: "first", End: "last", " ": "play", 0: "fit", q: "ask",
  };
  for (const id in actions) {
    listen(byId(id), "click", () => {
      if (!PLAYS_ON.has(id)) play(false);
      actions[id]();
    });
  }
  listen(document, "keydown", (event) => {
    const { target, key } = event;
    const typing = target.matches("select, textarea, input:not([type=range], [type=checkbox], [type=radio])");
    if (event.ctrlKey || event.altKey || event.metaKey || typing || !isShown()) return;
    const { node, more } = target.dataset ?? {};
    if (node !== undefined && (key === "Enter" || key === " ")) choose(Number(node));
    else if (more !== undefined && (key === "Enter" || key === " ")) widen(Number(more));
    else if (key === "Escape" && chosen >= 0) {
      chosen = -1;
      show();
    } else if (key === " " && target.matches("button, input, summary")) return;
    else if (KEYS[key]) {
      if (!PLAYS_ON.has(KEYS[key])) play(false);
      actions[KEYS[key]]();
    } else if (asking.on && key >= "a" && key <= "d" && key.length === 1) answerWith(key.charCodeAt(0) - 97);
    else if (key === "f") {
      follow.checked = !follow.checked;
      show();
    } else if (key >= "1" && key <= "9" && runs[key - 1]) toggleDriver(Number(key) - 1);
    else return;
    event.preventDefault();
  });
  document.querySelectorAll(".driver").forEach((button) => {
    listen(button, "click", () => toggleDriver(Number(button.dataset.run)));
  });
  for (const panel of panels) {
    listen(panel.canvas, "click", (event) => {
      const node = event.target.closest("[data-node]");
      const more = event.target.closest(".hidden-moves");
      if (panel.index !== lead) setLead(panel.index);
      if (more) widen(Number(more.dataset.more));
      else if (node) choose(Number(node.dataset.node));
      else show();
    });
  }
  listen(slider, "input", () => {
    play(false);
    goTo(Number(slider.value));
  });
  listen(follow, "change", show);
  listen(byId("speed"), "change", () => timer && play(true));
  listen(window, "hashchange", () => isShown() && readAddress());
  listen(window, "resize", () => {
    if (!isShown()) return;
    panels.forEach((panel) => (panel.view = null));
    show();
  });

  slider.max = lastMoment;
  follow.checked = !fits;
  readAddress();
  document.body.dataset.ready = "true";
  return () => {
    ended.abort();
    play(false);
    clearTimeout(writeAddress.timer);
    cancelAnimationFrame(show.frame);
  };
}
