#!/usr/bin/env node
// Builds dist/, the npm package, from wasm/src and the built WebAssembly (by default that of the preset `wasm`):
//
//   node wasm/build.mjs [folder]
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
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

/** What went into each file of dist/, for the list of libraries. */
const bundled = {};
async function build(options) {
  const { metafile } = await esbuild.build({ ...options, metafile: true, absWorkingDir: resolve(here, '..') });
  for (const [file, { inputs }] of Object.entries(metafile.outputs)) bundled[file] = Object.keys(inputs);
}

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
// What only HTTPS needs is loaded when it is needed, by `import` also in the folder for `require`.
const certificatesAt = (path) => ({
  name: 'certificates',
  setup: ({ onResolve }) => onResolve({ filter: /^\.\.\/certificates\.js$/ }, () => ({ path, external: true })),
});
const scripts = { '.bash': 'text', '.fish': 'text', '.zsh': 'text' };
const common = { loader: scripts, outdir: dist, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning', plugins: [glue, flagTable, certificatesAt('./certificates.js')] };
const kNotBundled = ['node:*', 'tabernetes-embedded', 'msw', 'vitest', 'bufferutil', 'utf-8-validate'];
const sourceOf = (name) => ['src', 'src/entries'].map((folder) => join(here, folder, `${name}.ts`)).find(existsSync);
const sources = (names) => Object.fromEntries(names.map((name) => [name, sourceOf(name)]));
// Entries that make clusters share the code and the compiled module of the main entry.
const oneIndex = {
  name: 'one-index',
  setup: ({ onResolve }) => onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({ path: './index.js', external: true })),
};
// What is loaded when it is needed.
const late = {
  name: 'late',
  setup: ({ onResolve }) => onResolve({ filter: /^\.{1,2}\/kept\.js$/ }, () => ({ path: './kept.js', external: true })),
};
const library = { ...common, external: kNotBundled, plugins: [...common.plugins, oneIndex, late] };
// `ws`, which is CommonJS, is bundled.
const withWs = {
  platform: 'node',
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
  banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
};
// index.js is left as it is: it has comments for bundlers, which get lost when code is made compact. Names stay, for
// stack traces.
const compact = { minifyWhitespace: true, minifySyntax: true };
await build({ ...library, platform: 'neutral', entryPoints: sources(['index']) });
await build({ ...library, ...compact, platform: 'neutral', entryPoints: sources(['kept', 'websocket', 'msw', 'undici', 'vitest', 'jest', 'cypress', 'worker', 'service-worker', 'edge']) });
await build({ ...library, ...withWs, ...compact, entryPoints: sources(['node', 'playwright']) });
// What nobody bundles further is made small.
const small = { ...withWs, minify: true };
await build({ ...library, ...small, entryPoints: sources(['certificates']) });
await build({ ...common, ...small, external: kNotBundled, entryPoints: sources(['cli']) });

// The same for `require`, in a folder of its own. Jest runs code in a realm that lacks much of Node.js or has jsdom's
// instead; the package takes what it needs from Node.js itself.
const kOfNode = ['ArrayBuffer', 'Blob', 'DecompressionStream', 'CompressionStream', 'AbortController', 'AbortSignal', 'DOMException', 'Float64Array', 'Headers', 'ReadableStream', 'Request', 'Response',
  'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'Uint32Array', 'Uint8Array', 'WebAssembly', 'clearTimeout', 'setTimeout'];
const cjs = join(dist, 'cjs');
const { banner: _, ...wsOnly } = withWs;
await build({
  ...library,
  ...wsOnly,
  ...compact,
  format: 'cjs',
  outdir: cjs,
  plugins: [glue, flagTable, certificatesAt('../certificates.js'), oneIndex, late],
  define: { ...wsOnly.define, 'import.meta.url': 'addressOfPackage' },
  banner: {
    js: `const { ${kOfNode.join(', ')} } = require('node:vm').runInThisContext('globalThis');
const addressOfPackage = require('node:url').pathToFileURL(require('node:path').join(__dirname, '../index.js')).href;`,
  },
  entryPoints: sources(['index', 'kept', 'websocket', 'msw', 'undici', 'jest', 'node', 'playwright']),
});
writeFileSync(resolve(here, '../build/bundled.json'), JSON.stringify(bundled));
writeFileSync(join(cjs, 'package.json'), '{"type":"commonjs"}\n');
chmodSync(join(dist, 'cli.js'), 0o755);
copyFileSync(wasm, join(dist, 'tabernetes.wasm'));
chmodSync(join(dist, 'tabernetes.wasm'), 0o644);
// Copies the texts of OpenAPI documents. The package has none if their source could not be downloaded.
const source = join(here, '../build/third_party/kubernetes_openapi');
if (existsSync(source)) writeFileSync(join(dist, 'openapi-texts.gz'), packedFile(source));
for (const name of ['tabernetes.wasm.d.ts', 'openapi-texts.gz.d.ts', 'glue.d.ts']) copyFileSync(join(here, 'src', name), join(dist, name));
// The types of what `require` gives are the same texts; the folder makes them CommonJS.
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts') || name.startsWith('cjs') || name.startsWith('ui')) continue;
  mkdirSync(dirname(join(cjs, name)), { recursive: true });
  copyFileSync(join(dist, name), join(cjs, name));
}
