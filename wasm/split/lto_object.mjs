// What the split asks of the object file that link-time optimization gives to the linker: which function and which data
// speak of which data. (Its format: tool-conventions/Linking.md of WebAssembly.)
import { kSection, Reader, importedFunctions, sections } from './bytes.mjs';

const kFunction = 0;
const kData = 1;
const kSectionSymbol = 3;
const kUndefined = 0x10;
const kExplicitName = 0x40;

/** Kinds of relocations: those that are addresses in memory, and those with a number that is added. */
const kMemoryAddress = new Set([3, 4, 5, 11, 14, 15, 16, 17, 21, 23, 25]);
const kAdds = new Set([3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25]);

/**
 * `data`: each piece with its `name`, its `bytes`, whether the linker may join it with `equal` texts, and the `data`
 * (by place) that it speaks of. `users`: of each function, by name, the data that it speaks of.
 */
export function readLtoObject(bytes) {
  const parts = sections(bytes);
  const part = (id, name = '') => parts.find((section) => section.id === id && section.name === name);
  const { symbols, segments } = readLinking(bytes, part(kSection.custom, 'linking'));
  const code = part(kSection.code);
  const data = part(kSection.data);
  const bodies = readRanges(bytes, code);
  const contents = readRanges(bytes, data, (reader) => {
    if (reader.number() === 0) reader.byte(), reader.signed(), reader.byte(); // the address: i32.const, end
  });
  const imports = importedFunctions(bytes, part(kSection.import));
  const names = new Map();
  for (const { kind, flags, index, name } of symbols) if (kind === kFunction && !(flags & kUndefined)) names.set(index - imports, name);

  const speaksOf = (ranges, section, relocations) => {
    const found = ranges.map(() => new Set());
    let place = 0;
    for (const { offset, symbol } of readRelocations(bytes, relocations)) {
      while (section.start + offset >= ranges[place].end) place++;
      const { kind, segment } = symbols[symbol];
      if (kind === kData && segment !== undefined) found[place].add(segment);
    }
    return found;
  };
  const ofData = speaksOf(contents, data, part(kSection.custom, 'reloc.DATA'));
  const ofCode = speaksOf(bodies, code, part(kSection.custom, 'reloc.CODE'));
  return {
    data: contents.map(({ start, end }, place) => ({ ...segments[place], bytes: bytes.subarray(start, end), data: ofData[place] })),
    users: new Map(ofCode.map((data, place) => [names.get(place), data])),
  };
}

/** Where each item of a section is that has its size before it. */
function readRanges(bytes, section, skip = () => {}) {
  const reader = new Reader(bytes, section.start);
  return reader.list(() => {
    skip(reader);
    const size = reader.number();
    const start = reader.at;
    return { start, end: (reader.at += size) };
  });
}

function readRelocations(bytes, section) {
  const reader = new Reader(bytes, section.start);
  reader.number(); // the section they are of
  return reader
    .list(() => {
      const kind = reader.number();
      const offset = reader.number();
      const symbol = reader.number();
      if (kAdds.has(kind)) reader.signed();
      return { kind, offset, symbol };
    })
    .filter(({ kind }) => kMemoryAddress.has(kind))
    .sort((a, b) => a.offset - b.offset);
}

const kSegmentInfo = 5;
const kSymbolTable = 8;
const kMayBeJoined = 1;

function readLinking(bytes, section) {
  const reader = new Reader(bytes, section.start);
  reader.number(); // the version
  const found = {};
  while (reader.at < section.end) {
    const kind = reader.byte();
    const end = reader.number() + reader.at;
    if (kind === kSymbolTable) found.symbols = reader.list(() => readSymbol(reader));
    if (kind === kSegmentInfo) found.segments = reader.list(() => readSegment(reader));
    reader.at = end;
  }
  return found;
}

function readSegment(reader) {
  const name = reader.text();
  reader.number(); // its alignment
  return { name, equal: (reader.number() & kMayBeJoined) !== 0 };
}

function readSymbol(reader) {
  const symbol = { kind: reader.byte(), flags: reader.number() };
  const named = !(symbol.flags & kUndefined);
  if (symbol.kind === kData) {
    symbol.name = reader.text();
    if (named) symbol.segment = reader.number();
    if (named) reader.number(), reader.number(); // where in the segment, and its size
  } else {
    symbol.index = reader.number();
    if (symbol.kind !== kSectionSymbol && (named || symbol.flags & kExplicitName)) symbol.name = reader.text();
  }
  return symbol;
}
