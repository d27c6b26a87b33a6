import init, * as plumb from "./plumb_web.js";

// Questions that come before the WebAssembly is there wait for it.
const loaded = init({ module_or_path: new URL("plumb_web_bg.wasm", import.meta.url) });
const ready = loaded.then(() => serve(plumb)).catch(refuse);
self.onmessage = async (message) => (await ready)(message);
