import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsFor } from '../build.mjs';
import { Trouble } from '../lib/run.mjs';

const built = (...args) => stepsFor(args).map(({ name }) => name).filter((name) => /server|core|package \(|Playground/.test(name));

test('without a name all is built', () => {
  const all = ['Native server (build/native/tabernetes)', 'WebAssembly core', 'npm package (dist/)', 'Playground (dist/ui/)'];
  assert.deepEqual(built(), all);
  assert.deepEqual(built('--verbose'), all);
});

test('the native server alone, without the tools for the page', () => {
  assert.deepEqual(built('native', '--verbose'), ['Native server (build/native/tabernetes)']);
  assert.ok(!stepsFor(['native']).some(({ name }) => name === 'JavaScript tools'));
});

for (const args of [['nativ'], ['native', 'wasm'], ['--quiet']])
  test(`${args.join(' ')} is refused`, () => assert.throws(() => stepsFor(args), (error) => error instanceof Trouble && error.message.endsWith(`cannot build ${args.join(' ')}`)));
