import init, * as plumb from "./plumb_web.js";

// Questions that come before the WebAssembly is there wait for it.
const ready = init();
let answer = null;
self.onmessage = async (message) => {
  await ready;
  answer ??= serve(plumb);
  answer(message);
};
