#!/usr/bin/env node
// Makes dist/, the npm package, out of wasm/src and the built modules (those of the preset `wasm` unless given):
//
//   node wasm/build.mjs [folder]
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const dist = resolve(here, '../dist');
const modules = resolve(process.argv[2] ?? join(here, '../build/wasm/bin'));
const wasm = join(modules, 'tabernetes.wasm');
if (!existsSync(wasm)) {
  console.error(`${wasm} is not there: cmake --preset wasm && cmake --build --preset wasm`);
  process.exit(1);
}

mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (name !== 'ui') rmSync(join(dist, name), { recursive: true });

// The types keep a file per source and their comments, which editors show; the code is one file per entry, which a
// browser and Node load fastest. (esbuild drops comments but for those that speak to bundlers.)
const compiler = resolve(here, '../node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', here, '--emitDeclarationOnly'], { stdio: 'inherit' });
for (const name of ['cli', 'cli.d.ts']) rmSync(join(dist, name), { recursive: true }); // a command has no types
const common = { outdir: dist, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' };
await build({
  ...common,
  entryPoints: ['index.ts', 'websocket.ts'].map((name) => join(here, 'src', name)),
  platform: 'neutral',
  external: ['node:*', './embedded.js'],
});
// The command brings `ws` along, which is CommonJS.
await build({
  ...common,
  entryPoints: [join(here, 'src', 'cli.ts')],
  platform: 'node',
  external: ['./embedded.js', 'bufferutil', 'utf-8-validate'],
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
});
chmodSync(join(dist, 'cli.js'), 0o755);
for (const name of ['tabernetes.wasm', 'core.wasm', 'extensions.wasm']) {
  copyFileSync(join(modules, name), join(dist, name));
  chmodSync(join(dist, name), 0o644);
}
const compressed = gzipSync(readFileSync(wasm), { level: 9 }).toString('base64');
writeFileSync(join(dist, 'embedded.js'), `export const compressed =\n  '${compressed}';\n`);
copyFileSync(join(here, 'src/embedded.d.ts'), join(dist, 'embedded.d.ts'));
