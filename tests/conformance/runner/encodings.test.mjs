import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBase64, toUtf8 } from './bytes.mjs';
import { decodeCbor, decodeCborSequence } from './cbor.mjs';
import { splitEvents } from './events.mjs';
import { parseJson, printJson } from './ordered_json.mjs';
import { Bindings } from './placeholders.mjs';
import { compareProtobuf } from './protobuf.mjs';

const hex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

const kCbor = [
  ['00', '0'],
  ['1903e8', '1000'],
  ['1bffffffffffffffff', '18446744073709551615'],
  ['3863', '-100'],
  ['f93e00', '1.5'],
  ['fb3ff199999999999a', '1.1'],
  ['f6', 'null'],
  ['f5', 'true'],
  ['6161', '"a"'],
  ['4161', '"a"'],
  ['83010203', '[1,2,3]'],
  ['9f0102ff', '[1,2]'],
  ['a2614101614202', '{"A":1,"B":2}'],
  ['bf614101ff', '{"A":1}'],
  ['d9d9f7a0', '{}'],
  ['d643010203', '"AQID"'],
  ['5f41614162ff', '"ab"'],
];

for (const [bytes, json] of kCbor) {
  test(`CBOR ${bytes}`, () => assert.equal(printJson(decodeCbor(hex(bytes))), json));
}

test('half a CBOR item waits for the rest', () => {
  const { values, rest } = decodeCborSequence(hex('018201'));
  assert.deepEqual([values.length, rest.length], [1, 2]);
});

const message = (...fields) => Uint8Array.from(fields.flat());
const field = (number, bytes) => [(number << 3) | 2, bytes.length, ...bytes];
const text = (value) => [...toUtf8(value)];
const options = () => ({ bindings: new Bindings(), contains: { '{{rv:1}}': '402' } });

test('protobuf: a version of another length is no difference', () => {
  const [a, b] = ['402', '12345'].map((version) => message(field(1, field(6, text(version))), field(2, text('x'))));
  assert.equal(compareProtobuf(a, b, options()), null);
});

test('protobuf: another value is a difference, with its path', () => {
  const [a, b] = ['x', 'y'].map((value) => message(field(1, field(6, text('402'))), field(2, text(value))));
  assert.equal(compareProtobuf(a, b, options())?.path, '$.2');
});

test('protobuf: a missing field is a difference', () => {
  const a = message(field(1, text('one')), field(2, text('two')));
  assert.equal(compareProtobuf(a, a.subarray(0, 5), options())?.path, '$.2');
});

test('protobuf: a frame of a watch is compared as what it holds', () => {
  const frame = (bytes) => Uint8Array.from([0, 0, 0, bytes.length, ...bytes]);
  const [a, b] = ['402', '12345'].map((version) => frame(message(field(1, text('ADDED')), field(2, field(6, text(version))))));
  assert.equal(compareProtobuf(a, b, options()), null);
  assert.equal(compareProtobuf(a, frame(message(field(1, text('MODIFIED')))), options())?.path, '$<frame>.1');
});

test('events of a protobuf watch', () => {
  const { events, rest } = splitEvents(hex('0000000201020000000503'), 'application/vnd.kubernetes.protobuf;stream=watch');
  assert.deepEqual([events.length, rest.length], [1, 5]);
});

test('base64 of bytes', () => assert.deepEqual(fromBase64('AAEC/w=='), Uint8Array.of(0, 1, 2, 255)));
