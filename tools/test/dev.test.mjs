import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { builtFrom, Rebuilder, watchSources } from '../dev.mjs';
import { Trouble } from '../lib/run.mjs';

const kCases = [
  ['core/server/list/list.cc', 'server'],
  ['mock-server/log.h', 'server'],
  ['third_party/manifest.json', 'server'],
  ['flags/serve.json', 'server'],
  ['tools/rules/compile.mjs', 'server'],
  ['tools/catalogue/read.mjs', 'server'],
  ['CMakeLists.txt', 'server'],
  ['CMakePresets.json', 'server'],
  ['web-demo/src/app.tsx', 'page'],
  ['wasm/src/cluster.ts', 'page'],
  ['wasm/cluster.cc', undefined],
  ['tools/dev.mjs', undefined],
  ['web-demo/node_modules/x/index.js', undefined],
  ['build/release/bin/tabernetes', undefined],
  ['core/server/list/list.cc~', undefined],
  ['core/server/.list.cc.swp', undefined],
  ['docs/architecture.md', undefined],
  ['package.json', undefined],
];

for (const [path, what] of kCases) test(`${path}: ${what ?? 'nothing'}`, () => assert.equal(builtFrom(path), what));

/** Waits until `isTrue` returns true, for ten seconds. */
async function until(isTrue) {
  for (let i = 0; i < 500 && !isTrue(); i++) await wait(20);
  assert.ok(isTrue());
}

test('changes of files are seen, however an editor writes them', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'tabernetes-dev-'));
  const file = (path) => join(root, path);
  mkdirSync(file('core/store'), { recursive: true });
  for (const path of ['core/store/tree.cc', 'CMakeLists.txt']) writeFileSync(file(path), '1');
  let seen = new Set();
  const end = watchSources(root, (path) => seen.add(path));
  t.after(() => {
    end();
    rmSync(root, { recursive: true });
  });
  const shows = async (path, change) => {
    await wait(50); // what came before is told
    seen = new Set();
    change();
    await until(() => seen.has(path));
  };
  await shows('core/store/tree.cc', () => writeFileSync(file('core/store/tree.cc'), '2'));
  await shows('CMakeLists.txt', () => writeFileSync(file('CMakeLists.txt'), '2'));
  for (const text of ['3', '4']) {
    await shows('core/store/tree.cc', () => {
      writeFileSync(file('core/store/tree.cc.new'), text);
      renameSync(file('core/store/tree.cc.new'), file('core/store/tree.cc'));
    });
  }
  await shows('core/store/tree.cc', () => writeFileSync(file('core/store/tree.cc'), '5'));
  for (let i = 0; i < 2; i++) {
    await shows('core/rules/inner/rules.cc', () => {
      mkdirSync(file('core/rules/inner'), { recursive: true });
      writeFileSync(file('core/rules/inner/rules.cc'), '1');
    });
    await shows('core/rules/inner/rules.cc', () => writeFileSync(file('core/rules/inner/rules.cc'), '2'));
    await shows('core/rules/inner/rules.cc', () => rmSync(file('core/rules/inner/rules.cc')));
    await shows('core/rules', () => rmSync(file('core/rules'), { recursive: true }));
  }
});

test('many changes are one build; what changes meanwhile is built once more; one that fails does not end it', async () => {
  const begun = [];
  const told = [];
  let finish;
  const build = (name) => () => {
    begun.push(name);
    return new Promise((done, fail) => (finish = { done, fail }));
  };
  const rebuilder = new Rebuilder({ server: build('server'), page: build('page') }, { quiet: 10, tell: (text) => told.push(text) });
  for (let i = 0; i < 5; i++) rebuilder.want('server');
  await until(() => begun.length === 1);
  rebuilder.want('server');
  rebuilder.want('page');
  await wait(50);
  assert.deepEqual(begun, ['server']);
  finish.fail(new Trouble('no such member'));
  await until(() => begun.length === 2);
  assert.deepEqual(told, ['no such member\n']);
  finish.done();
  await until(() => begun.length === 3);
  finish.done();
  await wait(50);
  assert.deepEqual(begun, ['server', 'server', 'page']);
});
