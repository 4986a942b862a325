import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, textsOf } from '../rules/check.mjs';

const names = {
  words: new Set(['required', 'is', 'enum', 'max', 'range', 'deny', 'forbid', 'fill', 'default', 'given', 'made', 'ge']),
  formats: new Set(['label']),
  checks: new Set(['port']),
  predicates: new Set(['template']),
  shared: new Set(['selector']),
  fills: new Set(['template-defaults']),
};
const faults = (text, fills) => faultsOf(text, names, fills).map(({ line, what }) => `${line}: ${what}`);

test('rules that are right have no faults', () => {
  const text = `
spec
 type required enum:A,B
 ports[]
  name is:label
  ?protocol=SCTP|UDP
   hostPort forbid "may not be set"
  else ?+name
   . deny |it is "so"|
 template.labels{} @port
on update status
 a>b,c &selector
 ?@template
  n range:-1-9 ge:.low "too low"
`;
  assert.deepEqual(faults(text), []);
});

test('what there is not is told with its line', () => {
  assert.deepEqual(faults('a require'), ['0: there is no word "require"']);
  assert.deepEqual(faults('\na is:name'), ['1: there is no format "name"']);
  assert.deepEqual(faults('a @prot'), ['0: there is no check "@prot"']);
  assert.deepEqual(faults('a &port'), ['0: there are no rules "&port"']);
  assert.deepEqual(faults('?@port\n a required'), ['0: there is no condition "@port"']);
  assert.deepEqual(faults('on delete\n a required'), ['0: there is no write "delete"']);
});

test('arguments and details are of their form', () => {
  assert.deepEqual(faults('a max'), ['0: "max" wants an argument', '0: "max" wants a number']);
  assert.deepEqual(faults('a range:1'), ['0: "range:1" wants two numbers']);
  assert.deepEqual(faults('a deny'), ['0: "deny" wants a detail']);
  assert.deepEqual(faults('a deny "no'), ['0: a detail does not end']);
});

test('lines are indented by one blank a level', () => {
  assert.deepEqual(faults('a\n  b required'), ['1: is indented deeper than the line above it allows']);
});

test('what fills in and what checks do not mix', () => {
  assert.deepEqual(faults('a made\n b fill=1 @template-defaults', true), []);
  assert.deepEqual(faults('a fill=1'), ['0: "fill" fills in, and stands among checks']);
  assert.deepEqual(faults('a required', true), ['0: "required" checks, and stands among what fills in']);
  assert.deepEqual(faults('?/a=b\n c fill=1', true), ['0: ?/a=b: what fills in knows only values at the place']);
});

test('texts are found in sources', () => {
  const source = 'x\nconstexpr std::string_view kPodRules = R"(\na\n)";\n    {"pod-defaults", R"~(\nb\n)~"},\n';
  assert.deepEqual(textsOf(source), [
    { name: 'kPodRules', line: 2, text: '\na\n', fills: false },
    { name: 'pod-defaults', line: 5, text: '\nb\n', fills: true },
  ]);
});
