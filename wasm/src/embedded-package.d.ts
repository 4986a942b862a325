/** The optional package beside this one, made by tools/release/npm_packages.mjs. */
declare module 'tabernetes-embedded' {
  /** tabernetes.wasm, gzipped, in Base64. */
  export const compressed: string;
}
