import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtFrom } from '../dev.mjs';

const kCases = [
  ['core/server/list/list.cc', 'server'],
  ['mock-server/log.h', 'server'],
  ['third_party/manifest.json', 'server'],
  ['CMakeLists.txt', 'server'],
  ['web-demo/src/app.tsx', 'page'],
  ['wasm/src/cluster.ts', 'page'],
  ['wasm/cluster.cc', undefined],
  ['web-demo/node_modules/x/index.js', undefined],
  ['build/release/bin/tabernetes', undefined],
  ['core/server/list/list.cc~', undefined],
  ['core/server/.list.cc.swp', undefined],
  ['docs/architecture.md', undefined],
];

for (const [path, what] of kCases) test(`${path}: ${what ?? 'nothing'}`, () => assert.equal(builtFrom(path), what));
