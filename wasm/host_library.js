// Tells Emscripten's linker that the host brings these functions (wasm/src/core.ts has the real ones), so that any
// other undefined symbol stays an error.
mergeInto(LibraryManager.library, {
  random() {},
});
