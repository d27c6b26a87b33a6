// The Worker of the page that is one file: its first message is the compiled WebAssembly. Questions that come before
// that is ready wait for it.
self.onmessage = ({ data: { module } }) => {
  const ready = wasm_bindgen({ module_or_path: module }).then(() => serve(wasm_bindgen)).catch(refuse);
  self.onmessage = async (message) => (await ready)(message);
};
