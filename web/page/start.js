// Unpacks the WebAssembly that the file contains, and starts the page with Workers of it.
async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

(async () => {
  const textOf = (id) => document.getElementById(id).textContent;
  try {
    const module = await WebAssembly.compile(await unpacked(textOf("wasm").trim()));
    const script = URL.createObjectURL(new Blob([textOf("worker")], { type: "text/javascript" }));
    await startPage(() => {
      const worker = new Worker(script);
      worker.postMessage({ module });
      return worker;
    });
  } catch (error) {
    document.getElementById("about").textContent = `Plumb cannot start here: ${error.message}`;
  }
})();
