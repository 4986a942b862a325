// Compares protobuf without a schema: field by field, also inside length-delimited fields, so that a resourceVersion of
// another length does not affect the lengths around it. Values of the recorded run (`bytesContain`) count as their
// placeholders.
//
// Tested by encodings.test.mjs.

import { describeBytes, fromUtf8, sameBytes } from './bytes.mjs';

const kEnvelope = [0x6b, 0x38, 0x73, 0x00]; // "k8s\0"

/**
 * @param {Uint8Array} expected @param {Uint8Array} got
 * @param {{bindings: import('./placeholders.mjs').Bindings, contains: Record<string, string>}} options
 * @returns {{path: string, expected: string, got: string} | null} the first difference
 */
export function compareProtobuf(expected, got, options) {
  if (isFrame(expected) && isFrame(got)) return compareValue(expected.subarray(4), got.subarray(4), '$<frame>', options);
  return compareValue(expected, got, '$', options);
}

// Returns true for one frame of a watch: a length, and that many bytes.
function isFrame(bytes) {
  return bytes.length > 4 && splitFrames(bytes).frames[0]?.length === bytes.length;
}

/** Returns the frames of a watch, each with its four bytes of length. @param {Uint8Array} bytes */
export function splitFrames(bytes) {
  const frames = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const end = at + 4 + new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
    if (end > bytes.length) break;
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}

function compareValue(expected, got, path, options) {
  if (sameBytes(expected, got)) return null;
  const difference = { path, expected: describeBytes(expected), got: describeBytes(got) };
  if (isEnvelope(expected) && isEnvelope(got)) {
    return compareValue(expected.subarray(4), got.subarray(4), `${path}<k8s>`, options);
  }
  if (matchesText(expected, got, options)) return null;
  const fields = readFields(expected);
  const gotFields = readFields(got);
  if (!fields || !gotFields) return difference;
  return compareFields(fields, gotFields, path, options) ?? null;
}

function compareFields(wanted, have, path, options) {
  if (isTime(wanted) && isTime(have)) return null;
  for (let i = 0; i < Math.max(wanted.length, have.length); i++) {
    const [a, b] = [wanted[i], have[i]];
    const at = `${path}.${(a ?? b).number}`;
    if (!a || !b || a.number !== b.number || a.wire !== b.wire) {
      return { path: at, expected: describeField(a), got: describeField(b) };
    }
    const difference = compareValue(a.bytes, b.bytes, at, options);
    if (difference) return difference;
  }
  return null;
}

const isEnvelope = (bytes) => kEnvelope.every((byte, i) => bytes[i] === byte);

const describeField = (field) => (field ? `field ${field.number}: ${describeBytes(field.bytes)}` : 'nothing');

// Returns true for a metav1.Time: seconds since 1970 and a zero.
function isTime(fields) {
  return fields.length === 2 && fields[0].number === 1 && fields[0].wire === 0 && varint(fields[0].bytes) > 1_000_000_000n &&
    fields[1].number === 2 && fields[1].wire === 0;
}

function matchesText(expected, got, { bindings, contains }) {
  const [template, text] = [fromUtf8(expected), fromUtf8(got)];
  if (template === null || text === null) return false;
  let filled = template;
  for (const [placeholder, value] of Object.entries(contains)) filled = filled.split(value).join(placeholder);
  return filled !== template && bindings.match(filled, text) === null;
}

// Returns the fields of a message, or null if the bytes are not one.
function readFields(bytes) {
  const fields = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    if (!tag) return null;
    const number = Number(tag.value >> 3n);
    const wire = Number(tag.value & 7n);
    const value = readValue(bytes, tag.end, wire);
    if (number === 0 || !value) return null;
    fields.push({ number, wire, bytes: bytes.subarray(value.start, value.end) });
    at = value.end;
  }
  return fields;
}

function readValue(bytes, at, wire) {
  if (wire === 0) {
    const value = readVarint(bytes, at);
    return value && { start: at, end: value.end };
  }
  const length = wire === 2 ? readVarint(bytes, at) : null;
  if (wire === 2 && !length) return null;
  const start = length ? length.end : at;
  const size = { 1: 8, 2: Number(length?.value), 5: 4 }[wire];
  return size !== undefined && start + size <= bytes.length ? { start, end: start + size } : null;
}

function readVarint(bytes, at) {
  let value = 0n;
  for (let i = 0; i < 10 && at + i < bytes.length; i++) {
    value |= BigInt(bytes[at + i] & 127) << BigInt(7 * i);
    if (bytes[at + i] < 128) return { value, end: at + i + 1 };
  }
  return null;
}

const varint = (bytes) => readVarint(bytes, 0)?.value ?? 0n;
