import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonIncomplete, JsonNumber, JsonSyntaxError, parseJson, parseJsonSequence, printJson, toPlain } from './ordered_json.mjs';

const kSame = ['{"b":1,"a":2}', '{"10":1,"2":2,"a":3}', '[1e+21,1.0,-0,9007199254740993]', '"a\\n\\"\\\\é"', '[]', '{}', '[true,false,null]'];

for (const text of kSame) {
  test(`prints as it was: ${text}`, () => assert.equal(printJson(parseJson(text)), text));
}

const kBad = ['{', '[1,]', '{"a"}', '"\\q"', '01', 'nul', '{} x', '', '"a', "{'a':1}", '+1', '1.'];

for (const text of kBad) {
  test(`refused: ${text}`, () => assert.throws(() => parseJson(text), JsonSyntaxError));
}

test('a doubled key is noted, the last value stays', () => {
  const object = parseJson('{"a":1,"b":2,"a":3}');
  assert.deepEqual(object.doubled, ['a']);
  assert.deepEqual(toPlain(object), { a: 3, b: 2 });
});

test('numbers keep their text', () => assert.deepEqual(parseJson('1.50'), new JsonNumber('1.50')));

test('a sequence stops before what is not complete', () => {
  const { values, rest } = parseJsonSequence('{"a":1}\n{"b":tr');
  assert.deepEqual(values.map(toPlain), [{ a: 1 }]);
  assert.equal(rest, '{"b":tr');
});

test('a sequence with an error inside throws', () => assert.throws(() => parseJsonSequence('{"a":x}\n'), JsonSyntaxError));

test('text that ends early is incomplete', () => assert.throws(() => parseJson('{"a":'), JsonIncomplete));
