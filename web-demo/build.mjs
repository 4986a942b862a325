#!/usr/bin/env node
// Builds dist/ui/, the playground as a static site, from dist/ (which wasm/build.mjs makes):
//
//   node web-demo/build.mjs [--server-only] [--out FOLDER]
//
// With --server-only nothing else needs to be built: the page shows the server that serves it, and says that the
// cluster inside the page is not built yet. Such a page replaces itself by the full one once that is built.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: flags } = parseArgs({ options: { 'server-only': { type: 'boolean' }, out: { type: 'string' } } });
const serverOnly = flags['server-only'];
const out = resolve(flags.out ?? at('../dist/ui'));

/**
 * Replaces the folder while a server may be serving it: it is missing for a moment only, and never a mix of two builds.
 */
function replace(folder, by) {
  rmSync(`${folder}.old`, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, `${folder}.old`);
  renameSync(by, folder);
  rmSync(`${folder}.old`, { recursive: true, force: true });
}

if (serverOnly || existsSync(at('../dist/tabernetes.wasm'))) {
  const mode = serverOnly ? 'server-only' : 'production';
  await build({ configFile: at('vite.config.mjs'), mode, logLevel: 'warn', build: { outDir: `${out}.new` } });
  replace(out, `${out}.new`);
} else {
  console.error('dist/ is not there: node wasm/build.mjs');
  process.exitCode = 1;
}
