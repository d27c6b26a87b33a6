
/**
 * Questions about the next step of a search, for readers who want to foresee it. `about(run, state, step)` is
 * `{ asked, answers, right }`, `right` the number of the answer that is what the search does, or null where there is
 * nothing to foresee. `tree` has the nodes with their children, `words` puts values and windows into words.
 */
function questionsAbout(tree, words) {
  const { nodes, children, isMove, infinity } = tree;
  const { text, question, nameOf, SIGN } = words;
  const MOST = 4; // answers of a question, besides a cut-off
  const byMove = (a, b) => nodes.move[a].localeCompare(nodes.move[b], undefined, { numeric: true });

  /** The answer that is right among others, each once; the others as far as there is room. */
  function choices(asked, right, others, order) {
    const answers = [...new Set([right, ...others])].slice(0, MOST);
    answers.sort((a, b) => order(a) - order(b));
    return answers.length > 1 ? { asked, answers, right: answers.indexOf(right) } : null;
  }

  /** The window of the next pass: the one asked, among others that follow from the bracket and the guess. */
  function aboutPass(run, state, [, , depth, alpha, beta, of]) {
    const { lower, upper } = state.bracketOf(depth, of);
    const above = (value) => (value === null ? [] : [value, value + 1]);
    const middle = lower === null || upper === null ? [] : [Math.ceil((lower + upper) / 2)];
    const ends = [...above(upper).reverse(), ...above(lower).reverse(), ...middle, ...above(run.guess)];
    const right = question(alpha, beta);
    const tests = new Map(ends.map((end) => [question(end - 1, end), end]));
    tests.set(question(infinity - 1, null), infinity);
    tests.set("the value?", infinity + 1);
    tests.set(right, tests.get(right) ?? beta ?? infinity);
    const where = of === null ? "" : ` for ${nameOf(of)}`;
    const known = `f− is ${text(lower, -1)} and f+ is ${text(upper)}`;
    return choices(`${run.driver} begins a pass${where}; ${known}. What does it ask?`, right, tests.keys(), (answer) => tests.get(answer));
  }

  /** What the search of this node before has left for INS, which goes by it; nothing for the others. */
  function mapOf(run, { before }) {
    if (run.alias !== "ins" || !before.length) return "";
    const name = (child) => nodes.name[child] || nodes.move[child];
    const moves = before.slice(0, 8).map(({ child, sign, value }) => `${name(child)} ${SIGN[sign]} ${text(value)}`);
    return ` When it was searched before, its moves returned ${moves.join(", ")}.`;
  }

  /** The next move at a node, or a return without another one. */
  function aboutMove(run, frame, kind, node) {
    const left = movesLeft(frame).sort(byMove);
    const last = frame.done[frame.done.length - 1];
    const name = (child) => nodes.name[child] || nodes.move[child].replace(/^\d+$/, "move $&");
    const searches = (child) => (frame.done.includes(child) ? `searches ${name(child)} again` : `searches ${name(child)}`);
    const returns = frame.done.length ? "cuts off: it searches no other move" : "returns without searching a move";
    const right = kind === "value" ? returns : kind === "prune" ? `prunes ${name(node)}` : searches(node);
    const again = last !== undefined && !isNullOf(frame) ? [searches(last)] : [];
    const others = [returns, ...again, ...left.map(searches)];
    if (kind === "prune") others.splice(1, 0, searches(node));
    const order = [...left.map(searches), ...left.map((child) => `prunes ${name(child)}`), right, ...again, returns];
    const side = nodes.max[frame.node] ? "MAX" : "MIN";
    const found = frame.found.slice(-6).map(({ child, sign, value }) => `${name(child)} ${SIGN[sign]} ${text(value)}`);
    const so = found.length ? ` Found so far: ${found.join(", ")}.` : "";
    const asked =
      `At ${nameOf(frame.node)} (${side}): ${question(frame.alpha, frame.beta)}${mapOf(run, frame)}${so} ` +
      "What does the search do next?";
    return choices(asked, right, others, (answer) => (answer === returns ? order.length : order.indexOf(answer)));
  }

  /** The bound that a visit returns: its sign and its value. */
  function aboutValue(run, frame, value, sign) {
    const bounds = new Map();
    // Nobody takes an infinite bound for an answer.
    const add = (bound, signs = ["<=", "=", ">="]) => {
      if (bound !== null && Math.abs(bound) < infinity - 1) signs.forEach((one, at) => bounds.set(`${SIGN[one]} ${text(bound)}`, 4 * bound + at));
    };
    const right = `${SIGN[sign]} ${text(value)}`;
    const likely = isNullOf(frame) ? ["<=", ">="] : ["<=", "=", ">="];
    add(value, likely.includes(sign) ? likely : ["<=", "=", ">="]);
    for (const found of [...frame.found].reverse()) add(found.value, likely);
    for (const bound of [frame.beta, frame.alpha]) add(bound, likely);
    const side = nodes.max[frame.node] ? "MAX" : "MIN";
    const found = frame.found.slice(-6).map((one) => `${SIGN[one.sign]} ${text(one.value)}`);
    const asked =
      `${nameOf(frame.node)} (${side}) was asked: ${question(frame.alpha, frame.beta)} Its moves have returned ` +
      `${found.join(", ") || "nothing"}.${mapOf(run, frame)} What does it return?`;
    return choices(asked, right, bounds.keys(), (answer) => bounds.get(answer));
  }

  /** The moves at a node that this visit has neither searched nor pruned; of those that no search has met, none. */
  const movesLeft = (frame) => children[frame.node].filter((child) => isMove(child) && !frame.done.includes(child));
  const isNullOf = ({ alpha, beta }) => (beta ?? infinity) - (alpha ?? -infinity) === 1;

  return (run, state, step) => {
    const event = run.events[run.steps[step].first];
    const [kind, node] = event;
    if (kind === "pass") return aboutPass(run, state, event);
    const frame = state.stack[state.stack.length - 1];
    if (!frame || kind === "end" || kind === "line") return null;
    const whole = event[4] === "all-moves" || !movesLeft(frame).length;
    if (kind === "value" && whole) return aboutValue(run, frame, event[2], event[3]);
    return aboutMove(run, frame, kind, node);
  };
}

