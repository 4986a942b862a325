import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Comparison } from './compare.mjs';
import { parseJson } from './ordered_json.mjs';
import { Bindings } from './placeholders.mjs';

const kStrict = { unordered: false, anyValue: () => false };

function paths(expected, got, rules = kStrict, options = {}) {
  const comparison = new Comparison(new Bindings(), rules, options);
  comparison.value(parseJson(expected), parseJson(got));
  return comparison.differences.map(({ path }) => path);
}

const kCases = [
  ['equal', '{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}', []],
  ['another value', '{"a":[1,{"b":null}]}', '{"a":[1,{"b":0}]}', ['$.a[1].b']],
  ['another spelling of a number', '{"a":1}', '{"a":1.0}', ['$.a']],
  ['a number for a string', '{"a":"1"}', '{"a":1}', ['$.a']],
  ['keys in another order', '{"a":1,"b":2}', '{"b":2,"a":1}', ['$']],
  ['a missing key', '{"a":1,"b":2}', '{"a":1}', ['$.b']],
  ['an extra key', '{"a":1}', '{"a":1,"b.c":2}', ['$["b.c"]']],
  ['a doubled key', '{"a":1}', '{"a":1,"a":1}', ['$.a']],
  ['a shorter array', '[1,2]', '[1]', ['$[1]']],
  ['a longer array', '[1]', '[1,2,3]', ['$[1]', '$[2]']],
  ['an array for an object', '{}', '[]', ['$']],
  ['a node port is a number', '{"p":"{{nodePort:1}}"}', '{"p":30001}', []],
  ['a node port is no string', '{"p":"{{nodePort:1}}"}', '{"p":"30001"}', ['$.p']],
  ['a placeholder in a key', '{"k:{{rv:1}}":1}', '{"k:7":1}', []],
];

for (const [what, expected, got, differences] of kCases) {
  test(what, () => assert.deepEqual(paths(expected, got), differences));
}

test('without key order, keys may come in any', () => {
  assert.deepEqual(paths('{"a":1,"b":2}', '{"b":2,"a":1}', kStrict, { keyOrder: false }), []);
});

const kUnordered = { unordered: true, anyValue: () => false };

test('where the server has no order, arrays are sets', () => {
  assert.deepEqual(paths('[{"a":1},{"a":2}]', '[{"a":2},{"a":1}]', kUnordered), []);
  assert.deepEqual(paths('[1,1,2]', '[1,2,2]', kUnordered), ['$[1]']);
});

test('where the server has no order, the parts of a message are a set', () => {
  assert.deepEqual(paths('"is invalid: [a: x, b: y]"', '"is invalid: [b: y, a: x]"', kUnordered), []);
  assert.deepEqual(paths('"is invalid: [a: x, b: y]"', '"is invalid: [b: y, a: z]"', kUnordered), ['$']);
});

test('a value that may be any keeps its type', () => {
  const rules = { unordered: false, anyValue: (path) => path === '$.a' };
  assert.deepEqual(paths('{"a":"x","b":1}', '{"a":"y","b":1}', rules), []);
  assert.deepEqual(paths('{"a":[1]}', '{"a":{}}', rules), ['$.a']);
});
