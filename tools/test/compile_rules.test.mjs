import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compile, languageOf } from '../rules/compile.mjs';
import { encode, signed, varint } from '../rules/encode.mjs';
import { readRules } from '../rules/language.mjs';
import { constantOf, rowsOf, textsOf } from '../rules/sources.mjs';

const rules = fileURLToPath(new URL('../../core/rules', import.meta.url));
const language = languageOf(rules);
const names = { formats: new Set(['label']), types: new Set(['core.v1.X']), gates: new Set(['Fast']), checks: new Set(['port']), predicates: new Set(['template']), shared: new Set(['selector']), fills: new Set(['template-defaults']) };
const faults = (text, fills) => readRules(text, names, fills).faults.map(({ line, column, what }) => `${line}:${column}: ${what}`);

test('correct rules have no errors', () => {
  const text = `
spec
 type required enum:A,B
 ports[]
  name is!:label
  ?protocol=SCTP|UDP ?!any:a,b
   hostPort forbid "may not be set"
  else ?+name
   . deny |it is "so"|
 template.labels{} @port
on update status
 a>b,^c &selector
 ?@template
  n range:-1-9 ge:.low "too low"
  n unsupported=#core.v1.X:A,B
`;
  assert.deepEqual(faults(text), []);
  assert.deepEqual(faults('a made\n b fill=1 @template-defaults\n?a=x|y\n b default=["x"]', true), []);
});

const kMistakes = [
  // names
  ['a require', '0:2: there is no word "require"'],
  ['\na is:name', '1:2: "is" wants a format: there is none of the name "name"'],
  ['a @prot', '0:2: there is no check "@prot"'],
  ['a &port', '0:2: there are no rules "&port"'],
  ['?@port\n a required', '0:0: there is no condition "@port"'],
  ['on delete\n a required', '0:3: there is no write "delete"'],
  // arguments
  ['a max', '0:2: "max" wants a number'],
  ['a maxlen:x', '0:2: "maxlen" wants a number'],
  ['a enum', '0:2: "enum" wants an argument'],
  ['a is', '0:2: "is" wants a format'],
  ['a range:1', '0:2: "range" wants two numbers'],
  ['a range:9-1', '0:2: "range" wants the smaller number first'],
  ['a min:1', '0:2: "min" wants 0'],
  ['a ge:low "no"', '0:2: "ge" wants a number or a path'],
  ['a apart:x[ "no"', '0:2: "apart" wants a list'],
  ['a among:x[],y{', '0:2: "among" wants lists'],
  ['a first:.b "no"', '0:2: "first" wants members'],
  ['a unsupported=A,B', '0:2: "unsupported" wants a value and its choices, as =v:A,B'],
  ['a bad= "no"', '0:2: "bad" wants an argument behind the sign'],
  ['a bad=#core.v1.Z "no"', '0:2: "bad" wants a type of the catalogue, and there is no "core.v1.Z"'],
  ['a unsupported=#Z:A,B', '0:2: "unsupported" wants a type of the catalogue, and there is no "Z"'],
  ['a required=1', '0:2: "required" takes no argument'],
  // details
  ['a deny', '0:2: "deny" wants a detail'],
  ['a positive "no"', '0:2: "positive" takes no detail'],
  ['a deny "no', '0:7: a detail does not end'],
  // places, conditions, lines
  ['a..b required', '0:0: "a..b" is no place'],
  ['a[0] required', '0:0: "a[0]" is no place'],
  ['?a b\n c required', '0:3: "b" is no condition'],
  ['?a>x\n c required', '0:0: "?a>x" is no condition'],
  ['?gate:Slow\n c required', '0:0: there is no feature gate "Slow"'],
  ['?gate:\n c required', '0:0: there is no feature gate ""'],
  ['?+a=1\n c required', '0:0: "?+a=1" is no condition'],
  ['?a\nb required', '0:0: a condition has no lines below it'],
  ['a required\nelse\n b required', '1:0: else without a condition before it'],
  ['a\n  b required', '1:2: is indented deeper than the line above it allows'],
  ['a required ', '0:10: ends in a blank'],
  ['\n\n', '0:0: the text is empty'],
  // checks among defaults
  ['a fill=1', '0:2: "fill" is a word of defaults only'],
];
for (const [text, fault] of kMistakes) test(`mistake: ${JSON.stringify(text)}`, () => assert.deepEqual(faults(text), [fault]));

const kMistakesOfDefaults = [
  ['a required', '0:2: "required" is a word of rules only'],
  ['a @port', '0:2: there is no default "@port"'],
  ['a given!', '0:2: "given!": defaults report no errors'],
  ['a fill={"b"', '0:2: "fill" wants JSON that can be read'],
  ['a fill=', '0:2: "fill" wants a value'],
  ['?/a=b\n c fill=1', '0:0: "?/a=b": defaults have only conditions on values at the place'],
  ['on create\n c fill=1', '0:0: defaults apply to every write'],
];
for (const [text, fault] of kMistakesOfDefaults) test(`mistake in defaults: ${JSON.stringify(text)}`, () => assert.deepEqual(faults(text, true), [fault]));

test('an error below several places is reported once', () => assert.deepEqual(faults('a,b.c,d require'), ['0:8: there is no word "require"']));

test('a line is read for each place that it names', () => {
  const { steps } = readRules('a,b[].c required', names);
  const member = (text, ...steps) => ({ what: 'Member', atList: false, idle: false, text, detail: '', steps });
  const required = { what: 'Required', stops: false };
  assert.deepEqual(steps, ['a', 'b'].map((name) => ({ ...member(name, { what: 'Each', steps: [member('c', required)] }), idle: true })));
});

test('numbers have seven bits a byte', () => {
  assert.deepEqual([0, 127, 128, 65535].map(varint), [[0], [127], [128, 1], [255, 255, 3]]);
  assert.deepEqual([0, -1, 1, -64, 4294967296].map(signed), [[0], [1], [2], [127], [128, 128, 128, 128, 32]]);
});

test('steps become bytes', () => {
  const step = (name) => language.steps.get(name) << 2;
  const bytes = (text) => encode(readRules(text, names).steps, { ...language, formats: new Map([['label', 5]]), checks: () => 7, predicates: () => 9, shared: () => 300 });
  const text = (value) => [...Buffer.from(value), 0];
  assert.deepEqual(bytes('. positive'), [step('kHere'), 1, step('kPositive')]);
  assert.deepEqual(bytes('a deny "no"'), [step('kMember') | 1, 7, 0, ...text('a'), step('kDeny') | 2, ...text('no')]);
  assert.deepEqual(bytes('^a>b max!:3'), [step('kMember') | 3, 8, 3, ...text('a'), ...text('b'), step('kStop'), step('kMax'), 6]);
  assert.deepEqual(bytes('. is:label @port &selector'), [step('kHere'), 7, step('kIs'), 5, step('kCheck'), 7, step('kRules'), 172, 2]);
  assert.deepEqual(bytes('?!@template ?a>2\n . positive'), [step('kIf'), 10, language.tests.get('kAsk') | 0x10, 9, step('kAnd') | 1, language.tests.get('kAbove'), ...text('a'), 4, step('kHere'), 1, step('kPositive')]);
  assert.deepEqual(bytes('?!gate:Fast\n . positive'), [step('kIf') | 1, 9, language.tests.get('kGate') | 0x10, ...text('Fast'), step('kHere'), 1, step('kPositive')]);
});

test('every word is a step of core/rules/program.h', () => {
  const words = ['required', 'unsupported=v:A', 'star "x"', 'first:a "x"', 'eq:1 "x"', 'maxlen:1', 'immutable'].map((word) => `a ${word}`);
  for (const word of words) assert.ok(encode(readRules(word, names).steps, language).length > 0);
});

test('texts are found in sources, with their places', () => {
  const source = 'namespace x::y {\n\nTAB_RULES(kPodRules, R"(\na\n)");\n\nTAB_DEFAULTS(kPodDefaults, "b fill=\\"\\"");\n';
  assert.deepEqual(textsOf(source), {
    texts: [
      { name: 'kPodRules', namespace: 'x::y', fills: false, text: '\na\n', raw: true, line: 3, column: 25 },
      { name: 'kPodDefaults', namespace: 'x::y', fills: true, text: 'b fill=""', raw: false, line: 7, column: 29 },
    ],
    faults: [],
  });
});

test('a text that cannot be compiled is an error', () => {
  const what = (source) => textsOf(source).faults.map((fault) => fault.what);
  assert.deepEqual(what('namespace x {\nnamespace {\nTAB_RULES(kARules, "a required");\n'), ['kARules is in an unnamed namespace']);
  assert.deepEqual(what('TAB_RULES(kA, "a required");\n'), ['the name kA does not end in Rules']);
  assert.deepEqual(what('TAB_DEFAULTS(kARules, "a fill=1");\n'), ['the name kARules does not end in Defaults']);
  assert.deepEqual(what('TAB_RULES(kARules, kText);\n'), ['TAB_RULES wants a name and one literal']);
});

test('names lead to constants', () => {
  assert.equal(constantOf('pod-spec'), 'kPodSpecRules');
  assert.equal(constantOf('scaling-rules'), 'kScalingRules');
  assert.equal(constantOf('match-defaults', true), 'kMatchDefaults');
});

test('tables are found in sources', () => {
  const source = 'namespace x {\nextern const NamedCheck kChecks[] = {\n    {"a", &a},\n    {"b-c", &b},\n};\n}  // namespace x\n';
  const row = { kind: 'checks', type: 'NamedCheck', namespace: 'x', table: 'kChecks', size: 2 };
  assert.deepEqual(rowsOf(source), [
    { ...row, name: 'a', index: 0 },
    { ...row, name: 'b-c', index: 1 },
  ]);
});

test('two texts, and two rows, of one name are errors', () => {
  const rows = 'extern const NamedCheck kChecks[] = {\n    {"a", &a},\n    {"a", &b},\n};\n';
  const unit = compile({ 'a.cc': `${rows}TAB_RULES(kARules, "a required");\n`, 'b.cc': 'TAB_RULES(kARules, "a required");\n' }, language);
  assert.deepEqual(unit.faults.map(({ file, line, what }) => `${file}:${line}: ${what}`), ['a.cc:1: there is another "a" in kChecks', 'b.cc:1: there is another kARules, in a.cc']);
});

const folder = mkdtempSync(join(tmpdir(), 'rules-'));
after(() => rmSync(folder, { recursive: true }));
const run = (source) => {
  writeFileSync(join(folder, 'kind.cc'), source);
  return spawnSync(process.execPath, [fileURLToPath(new URL('../rules/compile.mjs', import.meta.url)), join(folder, 'out.cc'), rules, join(folder, 'kind.cc')], { cwd: folder, encoding: 'utf8' });
};
const kind = (text) => `namespace x {\n\nTAB_RULES(kARules, R"(\nspec\n ${text}\n)");\n\n}  // namespace x\n`;

test('the build ends with file, line and column of a mistake', () => {
  const { status, stderr } = run(kind('a requierd'));
  assert.equal(status, 1);
  assert.equal(stderr, 'kind.cc:5:4: error: kARules: there is no word "requierd"\n');
});

test('the output is written only when it changes', () => {
  assert.equal(run(kind('a required')).status, 0);
  const output = join(folder, 'out.cc');
  assert.match(readFileSync(output, 'utf8'), /const tabernetes::registry::validation::Rules kARules\(kTables, 0\);/);
  utimesSync(output, 1, 1);
  run(`// more\n${kind('a required')}`);
  assert.equal(statSync(output).mtimeMs, 1000);
  run(kind('a present'));
  assert.notEqual(statSync(output).mtimeMs, 1000);
});
