/**
 * A search while it runs: its best line, counts, iterations, and the bracket f-, f+ of the running iteration, which
 * closes pass by pass. `elements` are those of the page; `arrow(move)` shows the best move on the board.
 */
function makeWatch(elements, arrow) {
  const SVG = "http://www.w3.org/2000/svg";
  const MOST = 14; // passes that are drawn
  const ROW = 15;
  let passes = [];
  let iterations = [];
  let line = null;
  let counts = null;
  let side = "";
  let frame = 0;

  const number = (count) => count.toLocaleString("en");

  /** A score in pawns or moves to mate, seen from the side to move at the root. */
  function text(score, infinite) {
    if (!score) return infinite;
    if (score.mate !== null) return `${score.mate < 0 ? "−" : ""}#${Math.abs(score.mate)}`;
    return `${score.pawns < 0 ? "−" : "+"}${Math.abs(score.pawns).toFixed(2)}`;
  }

  const SIGN = { "=": "", ">=": "≥ ", "<=": "≤ " };

  /** A score with its unit and the side whose score it is. */
  function scoreInWords({ score, bound }) {
    return `${SIGN[bound]}${text(score, "")}${score.mate === null ? " pawns" : ""} for ${side}`;
  }

  function hear(event) {
    if (event.event === "pass") hearPass(event);
    if (event.event === "line") hearLine(event);
    counts = { ...counts, ...countsOf(event) };
    if (!frame) frame = requestAnimationFrame(draw);
  }

  /** The counts of an event; those that it lacks stay as they were. */
  function countsOf({ nodes, time, leaves, visits, interior, table }) {
    if (table !== undefined) return { nodes, time, leaves, table, visits: leaves + interior + table };
    return leaves === undefined ? { nodes, time } : { nodes, time, leaves, visits };
  }

  function hearPass(pass) {
    if (passes.length && passes[0].depth !== pass.depth) passes = [];
    passes.push(pass);
  }

  function hearLine(event) {
    if (takesPlace(event, line)) line = event;
    if (event.finished) iterations.push({ ...event, passes: passes.length });
  }

  /** The place of a score on the axis of the drawing, from 0 to 1: the axis is that of the passes shown. */
  function axis(shown) {
    const pawns = shown.flatMap(({ alpha, beta, value, lower, upper }) => [alpha, beta, value, lower, upper])
      .filter((score) => score && score.pawns !== null).map((score) => score.pawns);
    const [low, high] = pawns.length ? [Math.min(...pawns), Math.max(...pawns)] : [-1, 1];
    const margin = Math.max(0.1, 0.15 * (high - low));
    return (score, infinite) => {
      if (!score) return infinite;
      if (score.mate !== null) return score.mate > 0 ? 1 : 0;
      return (score.pawns - low + margin) / (high - low + 2 * margin);
    };
  }

  function svg(name, attributes, parent, content) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (content) element.textContent = content;
    parent?.append(element);
    return element;
  }

  /** A row for each of the last passes: the bracket after it, the window that it asked, and how it ended. */
  function drawBracket() {
    const shown = passes.slice(-MOST);
    const width = Math.max(280, elements.bracket.clientWidth);
    const at = axis(shown);
    const x = (score, infinite) => 60 + (width - 130) * at(score, infinite);
    const last = shown[shown.length - 1];
    const state = last ? `${text(last.lower, "−∞")} to ${text(last.upper, "+∞")}` : "no pass";
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${ROW * shown.length + 18}`, height: ROW * shown.length + 18, role: "img",
      "aria-label": `bracket after the last pass: ${state}`,
    });
    shown.forEach((pass, row) => drawPass(picture, pass, 14 + ROW * row, x, width));
    if (last) svg("text", { x: 60, y: 10 }, picture, `depth ${last.depth}: f− and f+ after each pass`);
    elements.bracket.replaceChildren(picture);
    showGrid(last?.grid);
  }

  /** Says why f- and f+ do not meet where bounds are multiples of a grid. */
  function showGrid(grid) {
    elements.grid.hidden = !grid;
    if (!grid) return;
    const step = grid.toFixed(2);
    elements.grid.textContent =
      `This algorithm asks only for multiples of ${step} pawns (the option Grid): a bracket that holds none of them ` +
      `is closed, and the score is known to within ${step}.`;
  }

  /** True of a bracket in which no bound is left to ask for. */
  function isClosed({ lower, upper, grid }) {
    if (!lower || !upper) return false;
    if (lower.mate !== null || upper.mate !== null) return lower.mate === upper.mate;
    const [low, high, step] = [lower.pawns, upper.pawns, grid ?? 0.01].map((pawns) => Math.round(100 * pawns));
    return Math.floor(high / step) * step <= low;
  }

  const LOOKS = { ">=": "high", "<=": "low", "=": "exact" };

  /** The end of its window that a pass has reached, or its value inside. */
  function reached({ bound, alpha, beta, value, test }, x) {
    if (bound === "=") return x(value, 0);
    // A test at an end of the scale has no bound but infinite ones: at the upper end it fails low, at the lower high.
    if (test && !alpha && !beta) return x(null, bound === "<=" ? 1 : 0);
    return bound === ">=" || test ? x(beta, 1) : x(alpha, 0);
  }

  function drawPass(picture, pass, y, x, width) {
    const { alpha, beta, test } = pass;
    const [left, right] = [x(pass.lower, 0), x(pass.upper, 1)];
    svg("text", { x: 0, y: y + 9 }, picture, `${pass.number}${pass.of ? ` ${pass.of}` : ""}`);
    svg("line", { class: "axis", x1: 60, x2: width - 70, y1: y + 10, y2: y + 10 }, picture);
    const look = isClosed(pass) ? "band closed" : "band";
    svg("rect", { class: look, x: left - 1.5, y, width: Math.max(3, right - left + 3), height: 10 }, picture);
    if (!test) {
      const [from, to] = [x(alpha, 0), x(beta, 1)];
      svg("rect", { class: "asked", x: from, y: y + 8, width: Math.max(2, to - from), height: 2 }, picture);
    }
    svg("path", { class: LOOKS[pass.bound], d: `M${reached(pass, x)} ${y + 10}l-4 -10h8z` }, picture);
    svg("text", { x: width - 64, y: y + 9 }, picture, `${SIGN[pass.bound] || "= "}${text(pass.value, "")}`);
  }

  function drawIterations() {
    const rows = iterations.slice(-12).reverse().map(({ depth, score, bound, passes: count, nodes, line: best }) => {
      const row = document.createElement("tr");
      const cells = [depth, SIGN[bound] + text(score, ""), count || "", number(nodes), best.slice(0, 8).join(" ")];
      cells.forEach((content, at) => {
        const cell = document.createElement("td");
        cell.textContent = content;
        if (at === 4) cell.className = "word";
        row.append(cell);
      });
      return row;
    });
    elements.iterations.replaceChildren(...rows);
    elements.iterations.closest("table").hidden = !rows.length;
    elements["score-heading"].textContent = `score for ${side}`;
  }

  function draw() {
    frame = 0;
    if (line) {
      elements.found.textContent = `${scoreInWords(line)} · depth ${line.depth} · ${line.line.slice(0, 10).join(" ")}`;
      arrow(line.moves[0]);
    }
    if (counts) {
      const { nodes, time, leaves, visits, table } = counts;
      const speed = time > 0 ? ` · ${number(Math.round((1000 * nodes) / time))} a second` : "";
      const more = leaves === undefined ? "" : ` · leaves ${number(leaves)} · visits ${number(visits)}`;
      const answered = table === undefined ? "" : ` · table answers ${number(table)}`;
      elements.counts.textContent = `nodes ${number(nodes)}${speed}${more}${answered} · ${(time / 1000).toFixed(1)} s`;
    }
    drawBracket();
    drawIterations();
  }

  return {
    hear,
    text,
    /** Before a search of a position in which `mover`, White or Black, is to move; or where there is none. */
    begin(words, mover) {
      [passes, iterations, line, counts, side] = [[], [], null, null, mover];
      elements.searched.hidden = true;
      elements.found.textContent = words;
      elements.counts.textContent = "";
      draw();
    },
    /**
     * What a search that has ended answers: its counts and its line, which a pass of the last iteration may have
     * changed; its move, where that came from the book without a line. One that was stopped has the counts of its line,
     * which are older than those that were told last.
     */
    end(answer) {
      if (!answer.stopped) counts = { ...counts, ...countsOf(answer) };
      if (line && answer.line.length) line = answer;
      if (!line && answer.san && !answer.nodes) elements.found.textContent = `Book move: ${answer.san}.`;
      draw();
    },
    /** Says which position was searched, once another one is shown. */
    past(words) {
      elements.searched.textContent = words;
      elements.searched.hidden = false;
    },
  };
}
