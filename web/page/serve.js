/** Answers the questions of `Plumb` (plumb.js) in a Worker: `plumb` is the WebAssembly. */
function serve(plumb) {
  const HASH = 16; // MiB
  let engine = null;
  let size = 0;

  /** The engine; its table stays from one search to the next, unless another size is asked for. */
  function engineOf(hash) {
    if (hash !== size) {
      engine?.free();
      [engine, size] = [null, 0];
      engine = new plumb.Engine(hash);
      size = hash;
    }
    return engine;
  }

  const actions = {
    search({ hash = HASH, ...request }, tell) {
      return engineOf(hash).search(JSON.stringify(request), tell);
    },
    clear: () => engine?.clear(),
    bench: (given) => plumb.bench(...given),
    tree: (request) => plumb.tree(JSON.stringify(request)),
    treePage: (request) => plumb.tree_page(JSON.stringify(request)),
    trace: (request) => plumb.trace(JSON.stringify(request)),
    position: (request) => plumb.position(JSON.stringify(request)),
    readPgn: (text) => plumb.read_pgn(text),
    writePgn: (request) => plumb.write_pgn(JSON.stringify(request)),
    choices: () => plumb.choices(),
  };

  return ({ data: { id, action, given } }) => {
    try {
      const answer = actions[action](given, (event) => self.postMessage({ id, event }));
      self.postMessage({ id, answer });
    } catch (error) {
      self.postMessage({ id, error: error.message ?? String(error) });
    }
  };
}

/** Answers every question with the error for which the WebAssembly cannot be loaded. */
function refuse(cause) {
  const error = `Plumb cannot be loaded: ${cause.message ?? cause}`;
  return ({ data: { id } }) => self.postMessage({ id, error });
}
