/** The optional package beside this one; tools/release/npm_packages.mjs makes it. */
declare module 'tabernetes-embedded' {
  /** tabernetes.wasm, gzipped, in Base64. */
  export const compressed: string;
}
