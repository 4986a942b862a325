// Reads and writes the binary format of WebAssembly (WebAssembly Core Specification 2.0, section 5).

export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** LEB128 without a sign. */
  number() {
    let value = 0;
    for (let scale = 1, byte = 0x80; byte & 0x80; scale *= 128) value += ((byte = this.byte()) & 0x7f) * scale;
    return value;
  }

  /** LEB128 with a sign. */
  signed() {
    let value = 0;
    let scale = 1;
    let byte;
    do {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte & 0x80);
    return byte & 0x40 ? value - scale : value;
  }

  text() {
    return this.take(this.number()).toString();
  }

  take(size) {
    return this.bytes.subarray(this.at, (this.at += size));
  }

  /** Calls `read` as often as the number that comes next says. */
  list(read) {
    return Array.from({ length: this.number() }, (_, index) => read(index));
  }
}

/** LEB128 without a sign. */
export function number(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return Buffer.from([...bytes, value]);
}

/** LEB128 with a sign, of a number that is not negative. */
export function signed(value) {
  const bytes = [];
  for (; value > 0x3f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return Buffer.from([...bytes, value]);
}

export const kSection = { custom: 0, import: 2, function: 3, export: 7, element: 9, code: 10, data: 11 };

const kHeaderSize = 8; // magic and version

/** The sections in their order: `id`, the `name` of a custom one, and `start` and `end` of what it holds. */
export function sections(bytes) {
  const found = [];
  for (const reader = new Reader(bytes, kHeaderSize); reader.at < bytes.length; ) {
    const id = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    const name = id === kSection.custom ? reader.text() : '';
    found.push({ id, name, start: reader.at, end });
    reader.at = end;
  }
  return found;
}

/** How many functions a module imports: they come first in the row of its functions. */
export function importedFunctions(bytes, section) {
  const reader = new Reader(bytes, section.start);
  let functions = 0;
  reader.list(() => {
    reader.text();
    reader.text();
    const kind = reader.byte();
    if (kind === 0) {
      functions++;
      reader.number();
    } else if (kind === 3) {
      reader.take(2); // a global: its type, whether it changes
    } else {
      if (kind === 1) reader.byte(); // a table's type of element
      const bounded = reader.byte() & 1; // tables and memories have limits
      reader.number();
      if (bounded) reader.number();
    }
  });
  return functions;
}

/** The module with another data section, of segments `{ address, bytes }`; its custom sections stay away. */
export function withData(bytes, segments) {
  const contents = segments.flatMap(({ address, bytes }) => [Buffer.from([0, 0x41]), signed(address), Buffer.from([0x0b]), number(bytes.length), bytes]);
  const data = Buffer.concat([number(segments.length), ...contents]);
  const kept = sections(bytes).filter(({ id }) => id !== kSection.custom && id !== kSection.data && id !== kDataCount);
  const pieces = kept.flatMap(({ id, start, end }) => [Buffer.from([id]), number(end - start), bytes.subarray(start, end)]);
  return Buffer.concat([bytes.subarray(0, kHeaderSize), ...pieces, Buffer.from([kSection.data]), number(data.length), data]);
}

const kDataCount = 12; // only needed by instructions that the core does not use
