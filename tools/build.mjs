#!/usr/bin/env node
// `npm run build`: the native binary at build/native/tabernetes, the npm package at dist/.
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main, run, steps, top } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';

/** Configures (when needed) and builds one preset. */
export async function buildPreset(preset, ...targets) {
  if (!existsSync(join(top, 'build', preset, 'build.ninja'))) await run('cmake', ['--preset', preset], { quiet: true });
  await run('cmake', ['--build', '--preset', preset, ...(targets.length ? ['--target', ...targets] : [])]);
}

function placeNative() {
  const from = join(top, 'build', 'release', 'bin', 'tabernetes');
  if (!existsSync(from)) return console.log('no native binary yet');
  const to = join(top, 'build', 'native', 'tabernetes');
  mkdirSync(join(top, 'build', 'native'), { recursive: true });
  copyFileSync(from, `${to}.new`); // a running server keeps its file
  renameSync(`${to}.new`, to);
}

/** Runs a script of another folder that is part of the build. */
const script = (path) => async () => {
  if (existsSync(join(top, path))) await run(process.execPath, [path]);
  else console.log(`${path} is not there yet`);
};

export const buildSteps = () => [
  ['Native binary (build/native/tabernetes)', async () => (await buildPreset('release'), placeNative())],
  ['WebAssembly core', () => buildPreset('wasm')],
  ['npm package (dist/)', script('wasm/build.mjs')],
  ['Playground (dist/ui/)', script('web-demo/build.mjs')],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => steps([...setupSteps('build'), ...buildSteps()]));
}
