#!/usr/bin/env node
// Builds dist/, the npm package, from wasm/src and the built WebAssembly (by default that of the preset `wasm`):
//
//   node wasm/build.mjs [folder]
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packedFile } from '../tools/explain/pack.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = resolve(here, '../dist');
const built = resolve(process.argv[2] ?? join(here, '../build/wasm/bin'));
const wasm = join(built, 'tabernetes.wasm');
if (!existsSync(wasm)) {
  console.error(`${wasm} is not there: cmake --preset wasm && cmake --build --preset wasm`);
  process.exit(1);
}

mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (name !== 'ui') rmSync(join(dist, name), { recursive: true });

// The types keep one file per source and their comments, which editors show. The code is one file per entry, which
// browsers and Node load fastest. (esbuild drops comments except those for bundlers.)
const compiler = resolve(here, '../node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', here, '--emitDeclarationOnly'], { stdio: 'inherit' });
for (const name of ['cli', 'cli.d.ts']) rmSync(join(dist, name), { recursive: true }); // a command exports no types
// Emscripten's JavaScript is bundled into the code that imports it.
const glue = {
  name: 'glue',
  setup: ({ onResolve }) => onResolve({ filter: /^\.\/glue\.js$/ }, () => ({ path: join(built, 'tabernetes.mjs') })),
};
// The command's table of flags is the native binary's.
const flagTable = {
  name: 'flag-table',
  setup: ({ onResolve }) => onResolve({ filter: /^\.\/flag-table\.js$/ }, () => ({ path: resolve(here, '../flags/serve.json') })),
};
const common = { outdir: dist, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning', plugins: [glue, flagTable] };
await build({
  ...common,
  entryPoints: ['index.ts', 'websocket.ts'].map((name) => join(here, 'src', name)),
  platform: 'neutral',
  external: ['node:*', 'tabernetes-embedded'],
});
// The command bundles `ws`, which is CommonJS.
await build({
  ...common,
  entryPoints: [join(here, 'src', 'cli.ts')],
  platform: 'node',
  external: ['tabernetes-embedded', 'bufferutil', 'utf-8-validate'],
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
});
chmodSync(join(dist, 'cli.js'), 0o755);
copyFileSync(wasm, join(dist, 'tabernetes.wasm'));
chmodSync(join(dist, 'tabernetes.wasm'), 0o644);
// Copies the texts of OpenAPI documents. The package has none if their source could not be downloaded.
const source = join(here, '../build/third_party/kubernetes_openapi');
if (existsSync(source)) writeFileSync(join(dist, 'openapi-texts.gz'), packedFile(source));
for (const name of ['tabernetes.wasm.d.ts', 'openapi-texts.gz.d.ts', 'glue.d.ts']) copyFileSync(join(here, 'src', name), join(dist, name));
