/**
 * The view of trees: a form, and below it the content that `Plumb.treePage` makes and `showTree` steps through. The
 * address holds the request and the moment. A wrong request leaves the tree that was there; where there is none yet,
 * the usual one is drawn.
 */
function makeTreeView(plumb, choices, page) {
  const { byId, trouble, address } = page;
  const GIVEN = { game: "report", backends: "mtdf,sss,negascout", depth: "", width: "3", seed: "1", typed: "((41 5) (12 90))", position: "" };
  const USES = {
    typed: ["typed"], random: ["width", "seed", "depth"], othello: ["position", "depth"], checkers: ["position", "depth"],
    chess: ["position", "depth"], report: ["depth"],
  };
  const recorded = [...choices.backends.filter(({ driver }) => driver), ...choices.backends.filter(({ alias }) => alias === "ins")];
  const form = byId("tree-form");
  const menu = form.querySelector("details");
  const FIELDS = ["typed", "position", "width", "seed", "depth"];
  const NUMBERS = ["width", "seed", "depth"];
  let close = () => {};
  let drawn = ""; // the request behind the tree, as JSON
  let shown = ""; // the moment of it
  let heading = "";
  let newest = 0; // number of the request that was made last
  let drawing = false;

  function makeBackends() {
    const boxes = recorded.map(({ name, alias }) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", value: alias });
      label.append(box, ` ${name}`);
      return label;
    });
    byId("tree-backends").append(...boxes);
  }

  const boxes = () => [...byId("tree-backends").querySelectorAll("input")];

  /** Shows the fields that the game uses. */
  function showFields() {
    const uses = USES[byId("tree-game").value];
    for (const name of FIELDS) {
      byId(`tree-${name}-label`).hidden = !uses.includes(name);
      byId(`tree-${name}`).disabled = !uses.includes(name); // so that the browser does not check it
    }
  }

  function readForm() {
    const game = byId("tree-game").value;
    const backends = boxes().filter((box) => box.checked).map((box) => box.value).join(",");
    const asked = { game, backends };
    for (const name of USES[game]) asked[name] = byId(`tree-${name}`).value.trim();
    return asked;
  }

  /** True of a text that a field may hold; a number has no more digits than JavaScript keeps. */
  const isRead = (name, value) => !NUMBERS.includes(name) || value === GIVEN[name] || /^\d{1,15}$/.test(value);

  /** Fills the form as an address asks; returns what cannot be had, in words. */
  function writeForm(asked) {
    const game = Object.hasOwn(USES, asked.game) ? asked.game : GIVEN.game;
    byId("tree-game").value = game;
    for (const name of FIELDS) byId(`tree-${name}`).value = isRead(name, asked[name]) ? asked[name] : GIVEN[name];
    const backends = asked.backends.split(",").filter((alias) => alias);
    boxes().forEach((box) => (box.checked = backends.includes(box.value)));
    showFields();
    const unknown = backends.filter((alias) => !boxes().some((box) => box.value === alias));
    const wrong = USES[game].filter((name) => !isRead(name, asked[name])).map((name) => `${name}=${asked[name]}`);
    if (unknown.length) wrong.unshift(`backends=${unknown}`);
    return game === asked.game ? wrong : [`game=${asked.game}`, ...wrong];
  }

  /** The request that the fields make. */
  function request({ game, backends, depth, width, seed, typed, position }) {
    const made = { game: game === "typed" ? typed || "()" : game, backends };
    if (depth) made.depth = Number(depth);
    if (position) made.position = position;
    if (game === "random") Object.assign(made, { width: Number(width), seed: Number(seed) });
    return made;
  }

  /** Draws what the fields ask for; `moment` is where it begins. False if the request was refused. */
  async function draw(asked, moment) {
    const stop = byId("tree-stop");
    const late = setTimeout(() => (stop.hidden = false), 300);
    const number = ++newest;
    drawing = true;
    try {
      const { record, about, html } = await plumb.treePage(request(asked));
      if (number === newest) showDrawn(asked, moment, { record, about, html });
      return true;
    } catch (error) {
      if (number !== newest) return true;
      trouble(error.message === "stopped" ? "The searches were stopped." : `This tree cannot be drawn: ${error.message}.`);
      return false;
    } finally {
      clearTimeout(late);
      if (number === newest) {
        if (document.activeElement === stop) form.querySelector("[type=submit]").focus();
        stop.hidden = true;
        drawing = false;
      }
    }
  }

  function showDrawn(asked, moment, { record, about, html }) {
    close();
    byId("tree-content").innerHTML = html;
    [drawn, heading, shown] = [JSON.stringify(asked), about, moment];
    byId("about").textContent = heading;
    address.write({ view: "tree", ...asked, moment });
    close = showTree(record, choices.pseudocode, {
      // The address of a tree that is under way, and may be refused, has no moment of this one.
      read: () => (drawing ? shown : (address.read().moment ?? "")),
      write: (text) => {
        shown = text;
        if (!byId("tree-view").hidden) address.write({ view: "tree", ...asked, moment: text });
      },
    });
    trouble("");
  }

  /** Ends the searches of a tree that is not drawn yet, before another view is shown. */
  function end() {
    newest++;
    if (drawing) plumb.stop();
    drawing = false;
    byId("tree-stop").hidden = true;
  }

  /** After a request that was refused: the tree that was there, or the usual one, with the complaint. */
  async function fallBack() {
    const told = byId("trouble").firstElementChild.textContent;
    if (drawn) {
      byId("about").textContent = heading;
      address.write({ view: "tree", ...JSON.parse(drawn), moment: shown });
    } else {
      const { game, backends, depth } = GIVEN;
      await draw({ game, backends, depth }, "");
    }
    if (!byId("tree-view").hidden) trouble(told);
  }

  makeBackends();
  byId("tree-game").addEventListener("change", () => {
    showFields();
    byId("tree-depth").value = "";
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    menu.open = false;
    draw(readForm(), "");
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  byId("tree-stop").addEventListener("click", () => plumb.stop());

  return {
    /** Shows the view as the address says. */
    async open({ view: _, moment, ...rest }) {
      if (drawn && !Object.keys(rest).length) {
        byId("about").textContent = heading;
        return address.write({ view: "tree", ...JSON.parse(drawn), moment: shown });
      }
      const wrong = writeForm({ ...GIVEN, ...rest });
      const wanted = readForm();
      if (JSON.stringify(wanted) === drawn) byId("about").textContent = heading;
      else if (!(await draw(wanted, moment ?? ""))) await fallBack();
      if (byId("tree-view").hidden || !wrong.length) return;
      trouble(`The address asks for what there is not: ${wrong.join(", ")}.`);
    },
    end,
  };
}
