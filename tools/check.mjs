#!/usr/bin/env node
// `npm run check [-- NAME…]`: formatting, lints, types, layers, citations. The last line is `N passed, N failed`.
// `npm run check -- --fix` formats the C++ files in place.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { buildPreset } from './build.mjs';
import { clangTool } from './lib/clang.mjs';
import { ask, main, run, seconds, top } from './lib/run.mjs';

/** Returns the tracked and new files below the folders that match the pattern. */
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

/**
 * Returns the compilations of build/dev: [{ source, object, files }], where `files` are our own files that each reads.
 */
async function compilations() {
  const dir = join(top, 'build', 'dev');
  const { output } = await run('ninja', ['-C', dir, '-t', 'deps'], { quiet: true });
  const read = new Map();
  for (const block of output.split('\n\n')) {
    const [head, ...paths] = block.split('\n').map((line) => line.trim());
    const absolute = paths.filter(Boolean).map((p) => (p.startsWith('/') ? p : join(dir, p)));
    read.set(head.split(':')[0], absolute.filter((p) => p.startsWith(top) && !p.startsWith(join(top, 'build'))));
  }
  const commands = JSON.parse(readFileSync(join(dir, 'compile_commands.json'), 'utf8'));
  return commands.map(({ file, command }) => {
    const object = command.match(/ -o (\S+)/)[1];
    return { source: file, object, files: read.get(object) ?? [] };
  });
}

/**
 * Runs clang-tidy on core/ and mock-server/, in the batches in which they are compiled, if a file of the batch has
 * changed.
 */
async function tidy() {
  const program = clangTool('clang-tidy');
  if (!program) return;
  await buildPreset('dev');
  const stamps = join(top, 'build', 'tidy');
  mkdirSync(stamps, { recursive: true });
  const config = readFileSync(join(top, '.clang-tidy')) + (ask(program, '--version') ?? '');
  const seen = new Set();
  const todo = [];
  for (const { source, object, files: read } of await compilations()) {
    if (!/^(core|mock-server)\//.test(object) || source.startsWith(join(top, 'tests')) || !read.length) continue;
    for (const file of read) if (file.endsWith('.cc')) seen.add(relative(top, file));
    const hash = createHash('sha256').update(config);
    for (const file of read.sort()) hash.update(readFileSync(file));
    const stamp = join(stamps, `${object.replaceAll('/', '_')}.${hash.digest('hex').slice(0, 16)}`);
    if (!existsSync(stamp)) todo.push({ source, stamp });
  }
  const left = files(['core', 'mock-server'], /\.cc$/).filter((file) => !seen.has(file));
  if (left.length) {
    console.log(`not compiled by the preset dev, so not looked at: ${left.join(', ')}`);
    return false;
  }
  const count = todo.length;
  console.log(`${count} batches of files to look at`);
  let good = true;
  let done = 0;
  const worker = async () => {
    for (let next = todo.shift(); next; next = todo.shift()) {
      const { code, output } = await run(program, ['-p', 'build/dev', '--quiet', next.source], { check: false, quiet: true });
      console.log(`[${++done}/${count}] ${relative(top, next.source)}`);
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

/** Checks the types of all projects but the examples, whose own tests do that where their packages are. */
async function types() {
  const projects = files(['.'], /(^|\/)tsconfig\.json$/).filter((path) => !path.startsWith('examples/'));
  let good = true;
  for (const p of projects) good = (await run('tsc', ['--noEmit', '-p', p], { check: false })).code === 0 && good;
  return projects.length ? good : undefined;
}

const layers = async () => (await run(process.execPath, ['tools/check_layers.mjs'], { check: false })).code === 0;
const citations = async () => (await run(process.execPath, ['tools/check_citations.mjs'], { check: false })).code === 0;

/** Fails if a package-lock.json names another registry than the public one; npm replaces that by the configured one. */
function lockfile() {
  const good = files(['.'], /(^|\/)package-lock\.json$/).map((path) => {
    const text = readFileSync(join(top, path), 'utf8');
    const hosts = new Set([...text.matchAll(/"resolved": "https?:\/\/([^/"]+)/g)].map((m) => m[1]));
    hosts.delete('registry.npmjs.org');
    if (hosts.size) console.log(`${path} names ${[...hosts].join(', ')}`);
    return hosts.size === 0;
  });
  return good.every(Boolean);
}

const kChecks = { format, layers, citations, lockfile, types, tidy };

await main(async () => {
  const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'));
  let passed = 0;
  let failed = 0;
  for (const [name, check] of Object.entries(kChecks)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const start = Date.now();
    console.log(`-- ${name}`);
    const good = await check(); // undefined if there was nothing to check
    if (good === true) passed++;
    if (good === false) failed++;
    console.log(`-- ${name}: ${good === undefined ? 'nothing done' : good ? 'good' : 'FAILED'} (${seconds(start)})`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
});
