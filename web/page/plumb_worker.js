import init, * as plumb from "./plumb_web.js";

// Questions that come before the WebAssembly is there wait for it.
const ready = init({ module_or_path: new URL("plumb_web_bg.wasm", import.meta.url) });
let answer = null;
self.onmessage = async (message) => {
  await ready;
  answer ??= serve(plumb);
  answer(message);
};
