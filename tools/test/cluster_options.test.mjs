// The options of createCluster() are described once, in flags/options.json: everything that names them agrees with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clusterOptions, kTarget, typescript } from '../cluster_options.mjs';
import { top } from '../lib/top.mjs';

const textOf = (path) => readFileSync(join(top, path), 'utf8');

test(`${kTarget} is what the tables say`, () => {
  assert.equal(textOf(kTarget), typescript(), 'node tools/cluster_options.mjs writes it');
});

test('the core reads the options that it is given, and no others', () => {
  // A host sets these; they are no options of createCluster().
  const host = ['firstVersion', 'serverAddress', 'compression', 'corsAllowedOrigins', 'admin', 'measures', 'oidc', 'authenticationWebhookFile', 'authorizationWebhookFile', 'frontProxyAuthority', 'rootCertificate', 'signCertificate', 'userAuthority'];
  const given = clusterOptions().flatMap(({ name, core }) => (core ? [name] : []));
  const read = [...(textOf('wasm/options.cc') + textOf('wasm/access_options.cc')).matchAll(/(?:given\[|_in\(given, )"(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(read)].sort(), [...given, ...host].sort());
});

const kFlags = [
  { name: 'watch-history', value: 'DURATION', default: '90s' },
  { name: 'mode', value: 'MODE', default: 'A', choices: ['A', 'B'] },
  { name: 'seed', value: 'N', most: '9' },
];

test('an option takes what its flag says', () => {
  const rows = [
    { name: 'past', flag: 'watch-history', type: 'number', core: 'same', doc: 'How long. {default} if left out.' },
    { name: 'mode', flag: 'mode', core: 'same', doc: '{Default} is usual.' },
    { name: 'seed', flag: 'seed', type: 'number', doc: 'A number.' },
  ];
  const text = typescript(clusterOptions(rows, kFlags));
  for (const line of [
    '  /** How long. 90 seconds if left out. */\n  past?: number;\n',
    "  /** A is usual. */\n  mode?: 'A' | 'B';\n",
    "    | 'past'\n    | 'mode'\n  >",
    "  past: 90000,\n  mode: 'A',\n}",
    '  seed: 9n,\n}',
  ]) {
    assert.ok(text.includes(line), `${line} is not in\n${text}`);
  }
});

for (const [row, message] of [
  [{ name: 'a', flag: 'b', doc: '' }, 'a: there is no flag b'],
  [{ name: 'a', flag: 'watch-history', type: 'number', default: 1, doc: '' }, 'a: the flag watch-history has the default'],
  [{ name: 'a', flag: 'mode', type: 'string', doc: '' }, 'a: the flag mode has the choices'],
  [{ name: 'a', flag: 'seed', type: 'number', core: 'same', doc: '' }, 'a: a default is needed'],
  [{ name: 'a', flag: 'seed', type: 'number', doc: '{default}' }, 'a: the flag has no default'],
]) {
  test(`a wrong row: ${message}`, () => assert.throws(() => typescript(clusterOptions([row], kFlags)), { message }));
}
