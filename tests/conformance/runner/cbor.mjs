// Reads CBOR into the tree of ordered_json.mjs. Kubernetes writes strings as byte strings, so both kinds of string
// become text; bytes with tag 22 become base64.
//
// Tested by encodings.test.mjs.

import { fromUtf8, toBase64 } from './bytes.mjs';
import { JsonNumber, JsonObject } from './ordered_json.mjs';

export class CborIncomplete extends Error {}

/** Returns one item. @param {Uint8Array} bytes */
export function decodeCbor(bytes) {
  const { values, rest } = decodeCborSequence(bytes);
  if (values.length !== 1 || rest.length) throw new Error(`not one CBOR item: ${values.length} and ${rest.length} bytes`);
  return values[0].value;
}

/** Returns the items of a sequence, with the bytes of each. @param {Uint8Array} bytes */
export function decodeCborSequence(bytes) {
  const reader = new Reader(bytes);
  const values = [];
  while (reader.at < bytes.length) {
    const start = reader.at;
    try {
      values.push({ value: reader.item(), bytes: bytes.subarray(start, reader.at) });
    } catch (error) {
      if (error instanceof CborIncomplete) return { values, rest: bytes.subarray(start) };
      throw error;
    }
  }
  return { values, rest: bytes.subarray(reader.at) };
}

const kBreak = Symbol('break');
const kBase64Tag = 22n;

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw new CborIncomplete('CBOR ends early');
    this.at += count;
    return this.at - count;
  }

  item() {
    const first = this.bytes[this.take(1)];
    const major = first >> 5;
    const info = first & 31;
    if (major === 7) return this.simple(info);
    const indefinite = info === 31;
    const argument = indefinite ? 0n : this.argument(info);
    if (major === 0) return new JsonNumber(String(argument));
    if (major === 1) return new JsonNumber(String(-1n - argument));
    if (major === 2 || major === 3) return this.string(indefinite, argument);
    if (major === 4) return this.many(indefinite, argument, () => this.item());
    if (major === 5) return this.map(indefinite, argument);
    return this.tagged(argument);
  }

  argument(info) {
    if (info < 24) return BigInt(info);
    const width = 2 ** (info - 24);
    const at = this.take(width);
    if (width === 1) return BigInt(this.view.getUint8(at));
    if (width === 2) return BigInt(this.view.getUint16(at));
    if (width === 4) return BigInt(this.view.getUint32(at));
    return this.view.getBigUint64(at);
  }

  string(indefinite, length) {
    if (indefinite) return this.many(true, 0n, () => this.item()).join('');
    const at = this.take(Number(length));
    const bytes = this.bytes.subarray(at, this.at);
    return fromUtf8(bytes) ?? `base64 ${toBase64(bytes)}`;
  }

  many(indefinite, count, read) {
    const items = [];
    for (let i = 0n; indefinite || i < count; i++) {
      const item = read();
      if (item === kBreak) break;
      items.push(item);
    }
    return items;
  }

  map(indefinite, count) {
    const object = new JsonObject();
    this.many(indefinite, count, () => {
      const key = this.item();
      if (key === kBreak) return kBreak;
      if (object.has(key)) object.doubled.push(key);
      object.set(key, this.item());
      return key;
    });
    return object;
  }

  tagged(tag) {
    const start = this.at;
    const value = this.item();
    if (tag !== kBase64Tag) return value;
    const header = new Reader(this.bytes.subarray(start, this.at));
    header.argument(header.bytes[header.take(1)] & 31);
    return toBase64(header.bytes.subarray(header.at));
  }

  simple(info) {
    if (info === 31) return kBreak;
    if (info === 20 || info === 21) return info === 21;
    if (info === 22 || info === 23) return null;
    if (info === 25) return new JsonNumber(String(halfFloat(this.view.getUint16(this.take(2)))));
    if (info === 26) return new JsonNumber(String(this.view.getFloat32(this.take(4))));
    if (info === 27) return new JsonNumber(String(this.view.getFloat64(this.take(8))));
    throw new Error(`CBOR simple value ${info}`);
  }
}

function halfFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
