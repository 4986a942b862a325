/** tabernetes.wasm, gzipped, in Base64. Written by wasm/build.mjs. */
export declare const compressed: string;
