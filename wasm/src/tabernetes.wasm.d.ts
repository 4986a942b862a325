/** The module, as bundlers and runtimes with WebAssembly imports export it: for `createCluster({ wasm })`. */
declare const wasm: WebAssembly.Module;
export default wasm;
