/**
 * A chess board to play on: clicked, dragged, or by the keyboard. `svg` is the empty board of pages (board.rs), on which
 * `showBoard` puts the pieces; 64 buttons lie over its squares. `play(move)` is called with a legal move of `state`, the
 * position as `Plumb.position` answers it.
 */
function makeChessboard(place, svg, play) {
  const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
  const FILES = "abcdefgh";
  place.innerHTML = `<div class="plate">${svg}</div>`;
  const plate = place.firstChild;
  const board = plate.querySelector("svg");
  const { width, height } = board.viewBox.baseVal;
  const [size, left, top] = ["square", "left", "top"].map((name) => Number(board.dataset[name]));
  const coordinates = [...board.querySelectorAll("text")];
  const squares = document.createElement("div");
  squares.className = "squares";
  squares.setAttribute("role", "group");
  squares.setAttribute("aria-label", "Board: arrow keys move, Enter chooses a piece and its square");
  plate.append(squares);
  const promotion = document.createElement("div");
  promotion.className = "promotion";
  promotion.hidden = true;
  place.append(promotion);
  const buttons = new Map();

  let state = null;
  let pieces = [];
  let flipped = false;
  let chosen = null;
  let focus = "e2";
  let last = null;
  let best = null;
  let drag = null;

  /** Column and row of a square on the screen, from the upper left corner. */
  function placeOf(square) {
    const [file, rank] = [FILES.indexOf(square[0]), Number(square[1]) - 1];
    return flipped ? [7 - file, rank] : [file, 7 - rank];
  }

  function squareAt(column, row) {
    return flipped ? FILES[7 - column] + (row + 1) : FILES[column] + (8 - row);
  }

  const pieceOn = (square) => pieces[(8 - Number(square[1])) * 8 + FILES.indexOf(square[0])];
  const movesFrom = (square) => state.legal.filter((move) => move.from === square);

  function makeButtons() {
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        const button = document.createElement("button");
        button.type = "button";
        const style = { left: left + size * column, top: top + size * row };
        button.style.left = `${(100 * style.left) / width}%`;
        button.style.top = `${(100 * style.top) / height}%`;
        button.style.width = `${(100 * size) / width}%`;
        button.style.height = `${(100 * size) / height}%`;
        button.dataset.at = `${column},${row}`;
        squares.append(button);
      }
    }
  }

  /** The buttons by the squares that they are now. */
  function nameButtons() {
    buttons.clear();
    for (const button of squares.children) {
      const [column, row] = button.dataset.at.split(",").map(Number);
      const square = squareAt(column, row);
      button.dataset.square = square;
      buttons.set(square, button);
    }
    coordinates.forEach((text, at) => {
      const index = flipped ? 7 - (at % 8) : at % 8;
      text.textContent = at < 8 ? index + 1 : FILES[index];
    });
  }

  function label(square) {
    const piece = pieceOn(square);
    if (piece === ".") return `${square}, empty`;
    return `${square}, ${piece === piece.toLowerCase() ? "black" : "white"} ${NAMES[piece.toLowerCase()]}`;
  }

  /** Colours the squares of the last move, below the pieces. */
  function markMove() {
    board.querySelectorAll(".last").forEach((part) => part.remove());
    for (const square of last ? [last.from, last.to] : []) {
      const [column, row] = placeOf(square);
      const part = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      const attributes = { class: "last", x: left + size * column, y: top + size * row, width: size, height: size };
      for (const key in attributes) part.setAttribute(key, attributes[key]);
      board.querySelector(".men").before(part);
    }
  }

  function mark() {
    markMove();
    const targets = new Set(chosen ? movesFrom(chosen).map((move) => move.to) : []);
    const king = state.check ? (state.turn === "w" ? "K" : "k") : null;
    for (const [square, button] of buttons) {
      const looks = [];
      if (square === chosen) looks.push("chosen");
      if (targets.has(square)) looks.push("target");
      if (king && pieceOn(square) === king) looks.push("check");
      button.className = looks.join(" ");
      button.tabIndex = square === focus ? 0 : -1;
      const target = targets.has(square) ? ", can be reached" : "";
      button.setAttribute("aria-label", label(square) + target);
      button.setAttribute("aria-pressed", square === chosen);
    }
  }

  function draw() {
    const rows = state.fen.split(" ")[0].split("/").join("").replace(/\d/g, (empty) => ".".repeat(Number(empty)));
    pieces = [...rows];
    showBoard(board, `${flipped ? [...rows].reverse().join("") : rows} -`);
    board.setAttribute("aria-hidden", "true");
    mark();
  }

  function choose(square) {
    chosen = square;
    promotion.hidden = true;
    mark();
  }

  function focusOn(square) {
    focus = square;
    mark();
    buttons.get(square).focus();
  }

  /** A click, Enter or the end of a drag on a square. */
  function take(square) {
    if (!state) return;
    const moves = chosen ? movesFrom(chosen).filter((move) => move.to === square) : [];
    if (moves.length > 1) return askPromotion(moves);
    if (moves.length) {
      choose(null);
      return play(moves[0]);
    }
    choose(square !== chosen && movesFrom(square).length ? square : null);
  }

  /** Asks which piece a pawn becomes. */
  function askPromotion(moves) {
    const colour = state.turn;
    promotion.replaceChildren(...moves.map((move) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-label", `promote to ${NAMES[move.promotion]}`);
      button.innerHTML = `<svg viewBox="0 0 40 40" aria-hidden="true"><use class="${colour}" href="#piece-${move.promotion}"/></svg>`;
      button.addEventListener("click", () => {
        choose(null);
        focusOn(move.to);
        play(move);
      });
      return button;
    }));
    promotion.hidden = false;
    promotion.firstChild.focus();
  }

  /** The piece of the picture on a square. */
  function pictureOf(square) {
    const [column, row] = placeOf(square);
    const [x, y] = [left + size * column, top + size * row];
    return [...board.querySelectorAll("use")].find((use) => use.x.baseVal.value === x && use.y.baseVal.value === y);
  }

  function startDrag(event) {
    const square = event.target.dataset.square;
    if (event.button !== 0 || !state || !square) return;
    if (movesFrom(square).length) drag = { square, x: event.clientX, y: event.clientY, moved: false };
  }

  /** Ends a drag, with the picture back on its square. */
  function dropDrag() {
    drag?.picture?.classList.remove("dragged");
    drag?.picture?.removeAttribute("transform");
    drag = null;
  }

  function moveDrag(event) {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < 6) return;
    if (!drag.moved) {
      drag.moved = true;
      choose(drag.square);
      drag.picture = pictureOf(drag.square);
      drag.picture?.classList.add("dragged");
      drag.picture?.parentNode.append(drag.picture);
    }
    const scale = width / board.clientWidth;
    drag.picture?.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
  }

  function endDrag(event) {
    if (!drag) return;
    const { moved } = drag;
    dropDrag();
    if (!moved) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    // A drag ends in a click of its own where it began and ended on one square.
    if (under?.dataset.square && under.dataset.square !== chosen) take(under.dataset.square);
  }

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function moveFocus(event) {
    const step = STEPS[event.key];
    if (!step || !event.target.dataset.at) return;
    const [column, row] = event.target.dataset.at.split(",").map(Number);
    const next = [column + step[0], row + step[1]];
    event.preventDefault();
    event.stopPropagation();
    if (next.every((at) => at >= 0 && at <= 7)) focusOn(squareAt(...next));
  }

  /** Escape ends a drag, or closes the choice of a piece or of a move. */
  function leave(event) {
    if (event.key !== "Escape" || !state || !(drag || chosen)) return;
    const square = promotion.hidden ? null : chosen;
    dropDrag();
    choose(null);
    if (square) focusOn(square);
  }

  /** Draws the arrow of the best move, or none. */
  function drawArrow() {
    board.querySelectorAll(".best, .best-head").forEach((part) => part.remove());
    if (!best) return;
    const middle = (square) => placeOf(square).map((at, axis) => (axis ? top : left) + size * (at + 0.5));
    const [[x0, y0], [x1, y1]] = [middle(best.slice(0, 2)), middle(best.slice(2, 4))];
    const angle = Math.atan2(y1 - y0, x1 - x0);
    const back = (length, aside) =>
      `${x1 - length * Math.cos(angle) - aside * Math.sin(angle)} ${y1 - length * Math.sin(angle) + aside * Math.cos(angle)}`;
    const add = (name, attributes) => {
      const part = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const key in attributes) part.setAttribute(key, attributes[key]);
      board.append(part);
    };
    add("path", { class: "best", d: `M${x0} ${y0}L${back(14, 0)}` });
    add("path", { class: "best-head", d: `M${x1} ${y1}L${back(16, 9)}L${back(16, -9)}z` });
  }

  squares.addEventListener("click", (event) => {
    const { square } = event.target.dataset;
    if (!square) return;
    focus = square;
    take(square);
  });
  squares.addEventListener("pointerdown", startDrag);
  addEventListener("pointermove", moveDrag);
  addEventListener("pointerup", endDrag);
  addEventListener("pointercancel", dropDrag);
  addEventListener("keydown", leave);
  squares.addEventListener("keydown", moveFocus);
  makeButtons();
  nameButtons();

  return {
    /** Shows a position; `move` is the one that led to it, or null. */
    show(next, move) {
      dropDrag();
      state = next;
      last = move;
      chosen = null;
      promotion.hidden = true;
      draw();
    },
    /** Turns the board; `black` says which side is below. */
    flip(black = !flipped) {
      if (black === flipped) return;
      dropDrag();
      flipped = black;
      nameButtons();
      if (state) draw();
      drawArrow();
    },
    /** True while Black is below. */
    get flipped() {
      return flipped;
    },
    /** Ends a drag, before the board is hidden. */
    drop: dropDrag,
    /** An arrow for a move in UCI notation, or none. */
    arrow(move) {
      best = move;
      drawArrow();
    },
  };
}
