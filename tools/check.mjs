#!/usr/bin/env node
// `npm run check [-- NAME…]`: formatting, lints, types, layers. The last line is `N passed, N failed`.
// `npm run check -- --fix` formats the C++ files in place.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildPreset } from './build.mjs';
import { ask, main, run, seconds, top, which } from './lib/run.mjs';

// Other versions format a few lines differently and know other warnings, so one version decides: Debian 12's.
const kClangTools = '14';

/** The program in that version; undefined (and said so) where there is another or none. */
function clangTool(name) {
  const program = [`${name}-${kClangTools}`, name].find(which);
  const version = program && ask(program, '--version')?.match(/version (\d+)/)?.[1];
  if (version === kClangTools) return program;
  console.log(`skipped: needs ${name} ${kClangTools}, here is ${version ?? 'none'}`);
}

/** The tracked and new files below the given folders that end so. */
function files(folders, pattern) {
  const listed = ask('git', 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders) ?? '';
  return listed.split('\n').filter((f) => pattern.test(f) && existsSync(join(top, f)));
}

const kCpp = /\.(cc|h)$/;
const kCppFolders = ['core', 'mock-server', 'wasm', 'tests', 'bench'];

async function format() {
  const program = clangTool('clang-format');
  if (!program) return;
  const all = files(kCppFolders, kCpp);
  if (all.length === 0) return;
  const how = process.argv.includes('--fix') ? ['-i'] : ['--dry-run', '-Werror'];
  return (await run(program, [...how, '--style=file', ...all], { check: false })).code === 0;
}

/** Own files that each object was made from, as ninja knows them: Map absolute source → [files]. */
async function dependencies() {
  const { output } = await run('ninja', ['-C', 'build/dev', '-t', 'deps'], { quiet: true });
  const map = new Map();
  for (const block of output.split('\n\n')) {
    const [, ...paths] = block.split('\n').map((line) => line.trim());
    const absolute = paths.filter(Boolean).map((p) => (p.startsWith('/') ? p : join(top, 'build', 'dev', p)));
    const source = absolute.find((p) => p.endsWith('.cc')); // a list of the sanitizers may come before it
    if (source) map.set(source, absolute.filter((p) => p.startsWith(top) && !p.startsWith(join(top, 'build'))));
  }
  return map;
}

/** clang-tidy on core/ and mock-server/, only where a file or something it includes has changed. */
async function tidy() {
  const program = clangTool('clang-tidy');
  if (!program) return;
  await buildPreset('dev');
  const stamps = join(top, 'build', 'tidy');
  mkdirSync(stamps, { recursive: true });
  const deps = await dependencies();
  const config = readFileSync(join(top, '.clang-tidy')) + (ask(program, '--version') ?? '');
  const todo = [];
  let known = 0;
  for (const file of files(['core', 'mock-server'], /\.cc$/)) {
    const path = join(top, file);
    if (!deps.has(path)) continue; // no part of this build
    known++;
    const hash = createHash('sha256').update(config);
    for (const dep of deps.get(path).sort()) hash.update(readFileSync(dep));
    const stamp = join(stamps, `${file.replaceAll('/', '_')}.${hash.digest('hex').slice(0, 16)}`);
    if (!existsSync(stamp)) todo.push({ file, stamp });
  }
  if (known === 0) {
    console.log('no file of ours is in build/dev: nothing would be checked');
    return false;
  }
  console.log(`${todo.length} of ${known} files to look at`);
  let good = true;
  let done = 0;
  const count = todo.length;
  const worker = async () => {
    for (let next = todo.shift(); next; next = todo.shift()) {
      const { code, output } = await run(program, ['-p', 'build/dev', '--quiet', next.file], { check: false, quiet: true });
      console.log(`[${++done}/${count}] ${next.file}`);
      if (code === 0) writeFileSync(next.stamp, '');
      else {
        good = false;
        console.log(output);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return good;
}

async function types() {
  const projects = files(['.'], /(^|\/)tsconfig\.json$/);
  let good = true;
  for (const p of projects) good = (await run('tsc', ['--noEmit', '-p', p], { check: false })).code === 0 && good;
  return projects.length ? good : undefined;
}

const layers = async () => (await run(process.execPath, ['tools/check_layers.mjs'], { check: false })).code === 0;

/** The lock file names the public registry only: npm puts the configured one in its place. */
function lockfile() {
  const text = readFileSync(join(top, 'package-lock.json'), 'utf8');
  const hosts = new Set([...text.matchAll(/"resolved": "https?:\/\/([^/"]+)/g)].map((m) => m[1]));
  hosts.delete('registry.npmjs.org');
  if (hosts.size) console.log(`package-lock.json names ${[...hosts].join(', ')}`);
  return hosts.size === 0;
}

const kChecks = { format, layers, lockfile, types, tidy };

await main(async () => {
  const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'));
  let passed = 0;
  let failed = 0;
  for (const [name, check] of Object.entries(kChecks)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const start = Date.now();
    console.log(`-- ${name}`);
    const good = await check(); // undefined: nothing to check
    if (good === true) passed++;
    if (good === false) failed++;
    console.log(`-- ${name}: ${good === undefined ? 'nothing done' : good ? 'good' : 'FAILED'} (${seconds(start)})`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
});
