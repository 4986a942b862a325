import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bindings, UnboundPlaceholder, isNumericPlaceholder } from './placeholders.mjs';

const kUid = '0a1b2c3d-0000-4000-8000-0123456789ab';

const kCases = [
  ['literal text', 'a.b', 'a.b', true],
  ['a dot is a dot', 'a.b', 'axb', false],
  ['a uid', '{{uid:1}}', kUid, true],
  ['a uid in capitals', '{{uid:1}}', kUid.toUpperCase(), false],
  ['a uid inside a text', 'Precondition failed: UID: {{uid:1}}!', `Precondition failed: UID: ${kUid}!`, true],
  ['a version', '{{rv:1}}', '42', true],
  ['a version of nothing', '{{rv:1}}', '0', false],
  ['a version with a leading zero', '{{rv:1}}', '042', false],
  ['a time', '{{time}}', '2026-01-01T00:00:00Z', true],
  ['a time with a fraction', '{{time}}', '2026-01-01T00:00:00.5Z', false],
  ['a micro time', '{{microTime}}', '2026-01-01T00:00:00.000001Z', true],
  ['a micro time without fraction', '{{microTime}}', '2026-01-01T00:00:00Z', false],
  ['a suffix', 'job-{{suffix:1}}', 'job-x7k2p', true],
  ['a suffix with a vowel', 'job-{{suffix:1}}', 'job-x7a2p', false],
  ['an age', '{{age}}', '2d3h', true],
  ['no age', '{{age}}', '<unknown>', false],
  ['the same placeholder twice', '{{rv:1}}-{{rv:1}}', '7-7', true],
  ['the same placeholder for two values', '{{rv:1}}-{{rv:1}}', '7-8', false],
  ['two placeholders for one value', '{{rv:1}}-{{rv:2}}', '7-7', false],
  ['an unknown placeholder is literal', '{{nope}}', '{{nope}}', true],
];

for (const [what, template, text, matches] of kCases) {
  test(what, () => assert.equal(new Bindings().match(template, text) === null, matches));
}

test('what is bound stays bound', () => {
  const bindings = new Bindings();
  assert.equal(bindings.match('{{rv:1}}', '10'), null);
  assert.equal(bindings.match('{{rv:1}}', '11'), 'differs');
  assert.equal(bindings.match('{{rv:2}}', '10'), '{{rv:2}} has the value of {{rv:1}}');
  assert.equal(bindings.fill('/x?resourceVersion={{rv:1}}'), '/x?resourceVersion=10');
});

test('a request sends the time that was last seen', () => {
  const bindings = new Bindings();
  assert.equal(bindings.fill('{{time}}'), '2026-01-01T00:00:00Z');
  bindings.match('{{time}}', '2026-01-01T00:00:05Z');
  assert.equal(bindings.fill('{{time}}'), '2026-01-01T00:00:05Z');
});

test('a value that never appeared cannot be sent', () => {
  assert.throws(() => new Bindings().fill('{{uid:1}}'), UnboundPlaceholder);
});

test('node ports stand for numbers, versions do not', () => {
  assert.equal(isNumericPlaceholder('{{nodePort:1}}'), true);
  assert.equal(isNumericPlaceholder('{{rv:1}}'), false);
});
