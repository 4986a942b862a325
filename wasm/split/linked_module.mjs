// What the split asks of the linked core, before it is optimized: which functions call which, and its data.
import { kSection, Reader, importedFunctions, sections } from './bytes.mjs';

/**
 * `functions` are the ones it has itself, each with its `name`, the `callees` by name, and whether something outside
 * its callers holds it: `exported`, or `addressed` by a place in the table. `data` are its segments: `address`, `bytes`.
 */
export function readLinkedModule(bytes) {
  const parts = sections(bytes);
  const part = (id, name = '') => parts.find((section) => section.id === id && section.name === name);
  const imports = importedFunctions(bytes, part(kSection.import));
  const names = readNames(bytes, part(kSection.custom, 'name'));
  const exported = readExports(bytes, part(kSection.export));
  const addressed = readElements(bytes, part(kSection.element));
  const functions = readBodies(bytes, part(kSection.code)).map((callees, place) => {
    const index = imports + place;
    return {
      name: names.get(index),
      callees: callees.map((callee) => names.get(callee)),
      exported: exported.has(index),
      addressed: addressed.has(index),
    };
  });
  return { functions, data: readData(bytes, part(kSection.data)) };
}

function readNames(bytes, section) {
  const names = new Map();
  for (const reader = new Reader(bytes, section.start); reader.at < section.end; ) {
    const kind = reader.byte();
    const end = reader.number() + reader.at;
    if (kind === 1) reader.list(() => names.set(reader.number(), reader.text()));
    reader.at = end;
  }
  return names;
}

function readExports(bytes, section) {
  const functions = new Set();
  const reader = new Reader(bytes, section.start);
  reader.list(() => {
    reader.text();
    const kind = reader.byte();
    const index = reader.number();
    if (kind === 0) functions.add(index);
  });
  return functions;
}

function readElements(bytes, section) {
  const functions = new Set();
  const reader = new Reader(bytes, section.start);
  reader.list(() => {
    if (reader.number() !== 0) throw new Error('a segment of the table that is not active');
    readConstant(reader);
    reader.list(() => functions.add(reader.number()));
  });
  return functions;
}

function readData(bytes, section) {
  const reader = new Reader(bytes, section.start);
  return reader.list(() => {
    if (reader.number() !== 0) throw new Error('a segment of data that is not active');
    return { address: readConstant(reader), bytes: reader.take(reader.number()) };
  });
}

/** `i32.const`, `end`. */
function readConstant(reader) {
  if (reader.byte() !== 0x41) throw new Error('an address that is not a constant');
  const value = reader.signed();
  reader.byte();
  return value;
}

/** Of each function the indices of those it calls. */
function readBodies(bytes, section) {
  const reader = new Reader(bytes, section.start);
  return reader.list(() => {
    const end = reader.number() + reader.at;
    reader.list(() => (reader.number(), reader.byte())); // its local variables
    const callees = new Set();
    while (reader.at < end) readInstruction(reader, callees);
    return [...callees];
  });
}

const kCall = 0x10;

/** What follows the code of an instruction, for those that the core is made of. Others are a single byte. */
const kImmediates = new Map([
  ...row([0x02, 0x03, 0x04], (reader) => reader.byte()), // block, loop, if: a type
  ...row([0x0c, 0x0d], (reader) => reader.number()), // br, br_if
  [0x0e, (reader) => (reader.list(() => reader.number()), reader.number())], // br_table
  [0x11, (reader) => (reader.number(), reader.number())], // call_indirect
  ...row([0x20, 0x21, 0x22, 0x23, 0x24], (reader) => reader.number()), // variables
  ...row(range(0x28, 0x3e), (reader) => (reader.number(), reader.number())), // loads and stores
  ...row([0x3f, 0x40], (reader) => reader.byte()), // memory.size, memory.grow
  ...row([0x41, 0x42], (reader) => reader.number()), // constants: the sign does not matter here
  [0x43, (reader) => reader.take(4)],
  [0x44, (reader) => reader.take(8)],
  [0xfc, readBulkInstruction],
]);

function readInstruction(reader, callees) {
  const code = reader.byte();
  if (code === kCall) callees.add(reader.number());
  else if (kImmediates.has(code)) kImmediates.get(code)(reader);
  else if (code > 0xc4) throw new Error(`an instruction that the split does not know: ${code}`);
}

function readBulkInstruction(reader) {
  const code = reader.number();
  if (code === 10) reader.take(2); // memory.copy
  else if (code === 11) reader.take(1); // memory.fill
  else if (code > 7) throw new Error(`an instruction that the split does not know: 0xfc ${code}`);
}

function row(codes, read) {
  return codes.map((code) => [code, read]);
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
