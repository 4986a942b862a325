/** The module, as bundlers and runtimes that import WebAssembly give it: for `createCluster({ wasm })`. */
declare const wasm: WebAssembly.Module;
export default wasm;
