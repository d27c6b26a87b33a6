/** The page: its views, and the address that names what they show. */
async function startPage(start) {
  const byId = (id) => document.getElementById(id);

  /** A message that stays until it is dismissed or replaced; none hides it. */
  function tell(id, sentence) {
    byId(id).firstElementChild.textContent = sentence.replace(/\.\.$/, ".");
    byId(id).hidden = !sentence;
  }
  for (const id of ["trouble", "left-out"]) byId(id).lastElementChild.addEventListener("click", () => tell(id, ""));

  /** A sentence about what went wrong; none hides it. */
  const trouble = (sentence) => tell("trouble", sentence);

  const address = {
    read: () => Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
    write(fields) {
      const given = Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined);
      const text = `#${new URLSearchParams(given)}`;
      if (text !== location.hash) history.replaceState(history.state, "", text);
    },
  };

  const plumb = new Plumb(start);
  window.plumb = plumb; // for the console of whoever wants to try it
  const choices = await plumb.choices();
  byId("shapes").innerHTML = choices.pieces;
  const page = { byId, trouble, tell, address };
  const views = { tree: makeTreeView(plumb, choices, page), board: makeBoardView(plumb, choices, page) };

  async function open() {
    const asked = address.read();
    const name = Object.hasOwn(views, asked.view) ? asked.view : "tree";
    for (const other in views) {
      byId(`${other}-view`).hidden = other !== name;
      if (other === name) byId(`to-${other}`).setAttribute("aria-current", "page");
      else byId(`to-${other}`).removeAttribute("aria-current");
    }
    trouble("");
    for (const other in views) if (other !== name) views[other].end();
    await views[name].open(asked);
    if (asked.view && asked.view !== name) trouble(`The address asks for what there is not: view=${asked.view}.`);
    document.body.dataset.view = name;
    performance.mark("shown");
  }

  addEventListener("hashchange", open);
  await open();
}
