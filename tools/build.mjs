#!/usr/bin/env node
// `npm run build [-- native] [--verbose]`: builds the native binary (build/native/tabernetes), the npm package (dist/) and
// the playground; with `native` the binary alone.
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main, run, steps, top, Trouble } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';

/** Configures a preset, when needed, and builds it. */
export async function buildPreset(preset, ...targets) {
  if (!existsSync(join(top, 'build', preset, 'build.ninja'))) await run('cmake', ['--preset', preset], { quiet: true });
  await run('cmake', ['--build', '--preset', preset, ...(targets.length ? ['--target', ...targets] : [])]);
}

/** Builds the binary and, beside it, the texts for OpenAPI documents. */
async function buildNative() {
  await buildPreset('release', 'tabernetes');
  const [from, to] = ['release/bin', 'native'].map((folder) => join(top, 'build', folder));
  mkdirSync(to, { recursive: true });
  for (const name of ['openapi-texts.gz', 'tabernetes']) {
    if (!existsSync(join(from, name))) continue;
    copyFileSync(join(from, name), join(to, `${name}.new`)); // a running server keeps its old file
    renameSync(join(to, `${name}.new`), join(to, name));
  }
}

/** Returns a step's body that runs a script of another folder. */
const script = (path, ...args) => () => run(process.execPath, [path, ...args]);

/** Builds the server alone. */
export const nativeSteps = () => [{ name: 'Native server (build/native/tabernetes)', seconds: 150, body: buildNative }];

/** Builds the playground without a cluster of its own: it needs no WebAssembly and shows the server that serves it. */
export const serverPageSteps = () => [{ name: 'Playground for the server', seconds: 6, body: script('web-demo/build.mjs', '--server-only') }];

/** Builds the npm package and the playground. */
export const pageSteps = () => [
  { name: 'WebAssembly core', seconds: 170, body: () => buildPreset('wasm') },
  {
    name: 'npm package (dist/)',
    seconds: 8,
    id: 'package',
    inputs: ['wasm', 'flags', 'build/wasm/bin', 'tools/explain', 'third_party/manifest.json', 'package.json', 'package-lock.json', 'node_modules/.installed'],
    outputs: ['dist/index.js', 'dist/cli.js', 'dist/tabernetes.wasm', 'build/bundled.json'],
    body: script('wasm/build.mjs'),
  },
  {
    name: 'Playground (dist/ui/)',
    seconds: 8,
    id: 'playground',
    inputs: ['web-demo', 'dist/index.js', 'dist/tabernetes.wasm', 'package-lock.json', 'node_modules/.installed'],
    outputs: ['dist/ui/index.html', 'dist/ui/assets'],
    body: script('web-demo/build.mjs'),
  },
];

export const buildSteps = () => [...nativeSteps(), ...pageSteps()];

/**
 * Returns the steps that set up and build what the arguments name: all, or `native` alone.
 * @throws {Trouble} for another name
 */
export function stepsFor(args) {
  const names = args.filter((arg) => arg !== '--verbose');
  if (names.length === 0) return [...setupSteps('build'), ...buildSteps()];
  if (names.join() === 'native') return [...setupSteps('native'), ...nativeSteps()];
  throw new Trouble(`npm run build [-- native] [--verbose]: cannot build ${names.join(' ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => steps(stepsFor(process.argv.slice(2)), { log: join(top, 'build', 'logs', 'build.log') }));
}
