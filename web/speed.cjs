// The measurement of speed.sh: RUNS NATIVE_PROGRAM SIMD_FOLDER PLAIN_FOLDER.
const { execFileSync } = require("node:child_process");
const { resolve } = require("node:path");

const [runs, native, ...folders] = process.argv.slice(2);
// Depth and positions of each backend: some seconds. Best-first searches are left out: natively their short searches
// mostly make their memory.
const WORK = {
  "mtdf": [14, 12], "mtd-best": [12, 12], "sss": [12, 12], "dual": [12, 12], "negascout": [14, 12], "alphabeta": [14, 12],
  "ins": [5, 8],
};
const forms = {
  native(backend, depth, positions) {
    const [, nodes, seconds] = execFileSync(native, [backend, depth, positions], { encoding: "utf8" }).trim().split(" ");
    return { nodes: Number(nodes), seconds: Number(seconds) };
  },
};
for (const [name, folder] of [["simd", folders[0]], ["plain", folders[1]]]) {
  const plumb = require(resolve(folder, "plumb_web.js"));
  forms[name] = (backend, depth, positions) => {
    const begun = performance.now();
    const nodes = plumb.bench(backend, depth, positions);
    return { nodes, seconds: (performance.now() - begun) / 1000 };
  };
}

// The compiler of Node.js improves code that has run for a while: each is warm before it is timed.
for (const search of Object.values(forms)) search(...["mtdf", ...WORK.mtdf]);

const median = (sorted) => sorted[Math.floor(sorted.length / 2)];
console.log("| backend | native, moves a second | with SIMD | without |\n|---|---:|---:|---:|");
for (const [backend, [depth, positions]] of Object.entries(WORK)) {
  const shares = { simd: [], plain: [] };
  const speeds = [];
  for (let run = 0; run < Number(runs); run++) {
    const found = Object.entries(forms).map(([form, search]) => [form, search(backend, depth, positions)]);
    const { native: own, ...others } = Object.fromEntries(found);
    speeds.push(own.nodes / own.seconds);
    for (const form in others) {
      if (others[form].nodes !== own.nodes) throw new Error(`${backend}: ${others[form].nodes} nodes, natively ${own.nodes}`);
      shares[form].push(own.seconds / others[form].seconds);
    }
  }
  const text = (list) => {
    const sorted = [...list].sort((a, b) => a - b);
    return `${median(sorted).toFixed(2)} (${sorted[0].toFixed(2)} to ${sorted[sorted.length - 1].toFixed(2)})`;
  };
  const speed = Math.round(median(speeds.sort((a, b) => a - b))).toLocaleString("en");
  console.log(`| ${backend} | ${speed} | ${text(shares.simd)} | ${text(shares.plain)} |`);
}
