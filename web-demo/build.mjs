#!/usr/bin/env node
// Makes dist/ui/, the playground as a static site, out of dist/ (which wasm/build.mjs makes).
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
if (existsSync(at('../dist/tabernetes.wasm'))) {
  await build({ configFile: at('vite.config.mjs'), logLevel: 'warn' });
} else {
  console.error('dist/ is not there: node wasm/build.mjs');
  process.exitCode = 1;
}
