import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUtf8 } from './bytes.mjs';
import { parseJson } from './ordered_json.mjs';
import { Bindings } from './placeholders.mjs';
import { sidesOf } from './side_by_side.mjs';

const place = () => ({ scenario: 'none/such', step: 0, bindings: new Bindings(), contains: {} });
const answer = (status, type, text) => ({ status, headers: [['Content-Type', type], ['Date', 'today']], body: toUtf8(text) });
const sides = (step, got) => sidesOf(parseJson(JSON.stringify(step)), got, place());

test('a line for each value; what a placeholder stands for is no difference', () => {
  const recorded = { status: 200, headers: { 'content-type': 'application/json' }, body: { uid: '{{uid:1}}', n: 1, list: [], only: { here: true } } };
  const uid = '0f3c4e1a-0000-4000-8000-000000000001';
  const { expected, got } = sides({ request: {}, response: recorded }, answer(404, 'application/json', `{"uid":"${uid}","n":1.0,"list":["a"]}`));
  assert.deepEqual(expected.split('\n'), [
    'status 200',
    'content-type: application/json',
    '',
    '{',
    `  "uid": "${uid}",`,
    '  "n": 1,',
    '  "list": [],',
    '  "only": {',
    '    "here": true',
    '  }',
    '}',
    '',
  ]);
  assert.deepEqual(got.split('\n'), ['status 404', 'content-type: application/json', '', '{', `  "uid": "${uid}",`, '  "n": 1.0,', '  "list": [', '    "a"', '  ]', '}', '']);
});

test('a text is shown as it is', () => {
  const { expected, got } = sides({ request: {}, response: { status: 200, body: { text: 'ok' } } }, answer(200, 'text/plain', 'no\n'));
  assert.equal(expected, 'status 200\ncontent-type: text/plain\n\nok\n');
  assert.equal(got, 'status 200\ncontent-type: text/plain\n\nno\n\n');
});

test('a watch shows its events', () => {
  const step = { watch: {}, response: { status: 200 }, events: [{ type: 'ADDED', object: { rv: '{{rv:1}}' } }] };
  const { expected, got } = sides(step, answer(200, 'application/json', '{"type":"ADDED","object":{"rv":"7"}}\n{"type":"DELETED","object":{}}\n'));
  const added = '[\n  {\n    "type": "ADDED",\n    "object": {\n      "rv": "7"\n    }\n  }';
  assert.equal(expected, `status 200\ncontent-type: application/json\n\n${added}\n]\n`);
  assert.equal(got, `status 200\ncontent-type: application/json\n\n${added},\n  {\n    "type": "DELETED",\n    "object": {}\n  }\n]\n`);
});
