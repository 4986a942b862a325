// Decides what goes into the second module.

/**
 * The functions of the second module, as a set of names: those that only its source files define, and those that only
 * such functions call. `definers(name)` gives the source files that define a function and whether it is a weak symbol,
 * `list.holdsSource(file)` says whether a file is the second module's, `list.keeps(name)` which functions are not. What
 * runs when an instance starts stays in the first, too.
 */
export function chooseFunctions(functions, definers, list) {
  const chosen = new Set();
  const starting = startingFunctions(functions);
  const free = functions.filter(({ name, exported }) => !exported && !starting.has(name) && !list.keeps(name));
  const shared = new Set(); // templates and inline functions
  for (const { name } of free) {
    const { files, weak } = definers(name);
    if (files.length > 0 && files.every(list.holdsSource)) chosen.add(name);
    if (weak) shared.add(name);
  }
  const callers = callersOf(functions);
  leaveShared(functions, chosen, shared);
  const candidates = free.filter(({ name, addressed }) => !chosen.has(name) && !addressed);
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    for (const { name } of candidates) {
      const from = callers.get(name) ?? [];
      if (from.length > 0 && from.every((caller) => caller === name || chosen.has(caller))) chosen.add(name);
    }
  }
  return chosen;
}

/** Takes out of `chosen` what is `shared` and called by functions that are not chosen. */
function leaveShared(functions, chosen, shared) {
  const callees = new Map(functions.map((each) => [each.name, each.callees]));
  const leave = (name) => {
    if (!shared.has(name) || !chosen.delete(name)) return;
    callees.get(name).forEach(leave);
  };
  for (const { name, callees } of functions) if (!chosen.has(name)) callees.forEach(leave);
}

/** Those that initialize objects of the whole program, and what they call directly or not. */
function startingFunctions(functions) {
  const byName = new Map(functions.map((each) => [each.name, each]));
  const found = new Set();
  const reach = (name) => {
    if (found.has(name) || !byName.has(name)) return;
    found.add(name);
    byName.get(name).callees.forEach(reach);
  };
  reach('__wasm_call_ctors');
  return found;
}

function callersOf(functions) {
  const callers = new Map();
  for (const { name, callees } of functions) {
    for (const callee of callees) callers.set(callee, [...(callers.get(callee) ?? []), name]);
  }
  return callers;
}

/**
 * The data that the first module does not speak of: constants only, as the first may change the others. Gives a set of
 * the object's pieces.
 */
export function chooseData(object, chosenFunctions) {
  const needed = new Set();
  const need = (place) => {
    if (needed.has(place)) return;
    needed.add(place);
    object.data[place].data.forEach(need);
  };
  for (const [name, data] of object.users) if (!chosenFunctions.has(name)) data.forEach(need);
  return new Set(object.data.filter(({ name }, place) => !needed.has(place) && name.startsWith('.rodata')));
}

/**
 * Where the chosen pieces lie, as sorted ranges `{ start, end }` of addresses. `placeOf` gives the address of a piece by
 * its name; equal texts have been joined in the range `texts`, whose bytes are `texts.bytes`.
 */
export function placesOf(object, chosen, placeOf, texts) {
  const moved = new Uint8Array(texts.bytes.length);
  const ranges = [];
  const markText = (piece, value) => {
    for (let at = texts.bytes.indexOf(piece.bytes); at >= 0; at = texts.bytes.indexOf(piece.bytes, at + 1)) {
      moved.fill(value, at, at + piece.bytes.length);
    }
  };
  for (const piece of chosen) {
    const address = placeOf(piece.name);
    if (piece.equal) markText(piece, 1);
    else if (address !== undefined) ranges.push({ start: address, end: address + piece.bytes.length });
  }
  for (const piece of object.data) if (piece.equal && !chosen.has(piece)) markText(piece, 0);
  for (let at = moved.indexOf(1); at >= 0; ) {
    const end = indexOrEnd(moved, 0, at);
    ranges.push({ start: texts.address + at, end: texts.address + end });
    at = moved.indexOf(1, end);
  }
  return ranges.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
}

function indexOrEnd(bytes, value, from) {
  const found = bytes.indexOf(value, from);
  return found < 0 ? bytes.length : found;
}

/** A segment costs more than a short gap of constants, which are only written once more. */
const kShortGap = 8;

/** Sorted ranges and the short gaps between them. */
export function joined(ranges) {
  const result = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last && range.start - last.end <= kShortGap) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}
