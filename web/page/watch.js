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
  let frame = 0;

  const number = (count) => count.toLocaleString("en");

  /** A score in pawns or moves to mate, seen from the side to move at the root. */
  function text(score, infinite) {
    if (!score) return infinite;
    if (score.mate !== null) return `${score.mate < 0 ? "−" : ""}#${Math.abs(score.mate)}`;
    return `${score.pawns < 0 ? "−" : "+"}${Math.abs(score.pawns).toFixed(2)}`;
  }

  const SIGN = { "=": "", ">=": "≥ ", "<=": "≤ " };

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
    if (event.bound === "=" || event.finished || !line) line = event;
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

  /** A row for each of the last passes: the bracket after it, the bound that it asked, and how it ended. */
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
  }

  function drawPass(picture, pass, y, x, width) {
    const [left, right] = [x(pass.lower, 0), x(pass.upper, 1)];
    const closed = right - left < 1;
    svg("text", { x: 0, y: y + 9 }, picture, `${pass.number}${pass.of ? ` ${pass.of}` : ""}`);
    svg("line", { class: "axis", x1: 60, x2: width - 70, y1: y + 10, y2: y + 10 }, picture);
    svg("rect", { class: closed ? "band closed" : "band", x: left - 1.5, y, width: Math.max(3, right - left + 3), height: 10 }, picture);
    const asked = x(pass.beta, 1);
    const high = failedHigh(pass);
    svg("path", { class: high ? "high" : "low", d: `M${asked} ${y + 10}l-4 -10h8z` }, picture);
    svg("text", { x: width - 64, y: y + 9 }, picture, `${high ? "≥" : "≤"} ${text(pass.value, "")}`);
  }

  /** True of a pass that failed high: its value reaches the upper end of its window. */
  function failedHigh({ value, beta }) {
    if (!beta) return false;
    const size = (score) => (score.mate === null ? score.pawns : Math.sign(score.mate) * (1000 - Math.abs(score.mate)));
    return size(value) >= size(beta);
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
  }

  function draw() {
    frame = 0;
    if (line) {
      elements.found.textContent = `${SIGN[line.bound]}${text(line.score, "")} · depth ${line.depth} · ${line.line.slice(0, 10).join(" ")}`;
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
    /** Before a search. */
    begin(words) {
      [passes, iterations, line, counts] = [[], [], null, null];
      elements.found.textContent = words;
      elements.counts.textContent = "";
      draw();
    },
    /** The counts of a search that has ended; its move, where that came from the book without a line. */
    end(answer) {
      counts = { ...counts, ...countsOf(answer) };
      if (!line && answer.san) elements.found.textContent = `Book move: ${answer.san}.`;
      draw();
    },
  };
}
