"use strict";

/**
 * Puts pieces on an empty board. `text` has the rows from the top with slashes between them, as in a FEN: upper case
 * White, lower case Black, a digit for so many empty squares; then " w" or " b", the side to move. Squares that are not
 * as in `before`, the board before the last move (or null), get a frame.
 */
function showBoard(board, text, before = null) {
  const SVG = "http://www.w3.org/2000/svg";
  const size = Number(board.dataset.square);
  const squares = (position) =>
    position.split(" ")[0].replaceAll("/", "").replace(/\d/g, (empty) => ".".repeat(Number(empty)));
  const now = squares(text);
  const old = squares(before ?? text);
  const men = board.querySelector(".men");
  men.replaceChildren();
  [...now].forEach((letter, at) => {
    const x = Number(board.dataset.left) + size * (at % 8);
    const y = Number(board.dataset.top) + size * Math.floor(at / 8);
    const add = (name, attributes) => {
      const element = document.createElementNS(SVG, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      men.append(element);
    };
    if (letter !== old[at]) add("rect", { class: "changed", x: x + 1.5, y: y + 1.5, width: size - 3, height: size - 3 });
    if (letter === ".") return;
    const piece = letter.toLowerCase();
    add("use", { class: piece === letter ? "b" : "w", href: `#piece-${piece}`, x, y });
  });
  for (const turn of board.querySelectorAll(".turn")) {
    turn.toggleAttribute("hidden", !turn.classList.contains(text.split(" ")[1]));
  }
  board.setAttribute("aria-label", `Board: ${text}`);
}
