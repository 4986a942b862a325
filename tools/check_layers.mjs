#!/usr/bin/env node
// Holds the includes to the architecture. Reads the DEPS of core/CMakeLists.txt and fails when
// - a folder of the core includes another that it does not depend on (directly or through others),
// - a public header (core/include/tabernetes) includes anything of the core but public headers,
// - the core includes threads, locks, streams, files or randomness, or asks for the time,
// - a host (wasm, mock-server) includes of the core anything but tabernetes/*.h,
// - an include of ours names a file that does not exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const kForbiddenHeaders = ['thread', 'mutex', 'shared_mutex', 'condition_variable', 'future', 'iostream', 'fstream', 'random'];
const kForbiddenText = [[/::now\s*\(/, 'asks the time; it comes in through advance()']];

/** DEPS of every tab_module call: Map name → direct dependencies. */
export function readModules(cmake) {
  const modules = new Map();
  for (const [, body] of cmake.replace(/#.*$/gm, '').matchAll(/\btab_module\s*\(([^)]*)\)/g)) {
    const [name, ...words] = body.trim().split(/\s+/);
    const deps = [];
    let key = '';
    for (const word of words) {
      if (/^(SOURCES|DEPS|LIBRARIES|EXCEPTIONS_FOR)$/.test(word)) key = word;
      else if (key === 'DEPS') deps.push(word);
    }
    modules.set(name, deps);
  }
  return modules;
}

/** Everything `name` may include: itself and what it depends on, near or far. */
export function reachable(modules, name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const dep of modules.get(name) ?? []) reachable(modules, dep, seen);
  return seen;
}

function cycle(modules) {
  for (const [name, deps] of modules)
    for (const dep of deps) if (reachable(modules, dep).has(name)) return `${name} ↔ ${dep}`;
}

/** Faults of one file: [{ line, what }]. `where` is { folder } in the core, { publicHeader } or { host }. */
export function faultsOf(text, where, modules) {
  const faults = [];
  const allowed = where.folder && reachable(modules, where.folder);
  text.split('\n').forEach((line, i) => {
    const fault = (what) => faults.push({ line: i + 1, what });
    const include = line.match(/^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")/);
    const [, system, own] = include ?? [];
    const first = (own ?? system)?.split('/')[0];
    if (include && first !== 'tabernetes' && modules.has(first) && (own ?? system).includes('/')) {
      if (where.host) fault(`a host includes ${own ?? system}; it may include tabernetes/*.h only`);
      else if (where.publicHeader) fault(`a public header includes ${own ?? system}, which hosts do not see`);
      else if (!allowed.has(first)) fault(`${where.folder} does not depend on ${first}`);
    }
    if (where.host) return;
    if (system && kForbiddenHeaders.includes(system)) fault(`<${system}> has no place in the core`);
    const code = line.replace(/\/\/.*$/, '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
    for (const [pattern, why] of kForbiddenText) if (pattern.test(code)) fault(why);
  });
  return faults;
}

function* sources(dir) {
  if (!existsSync(dir)) return;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* sources(path);
    else if (/\.(h|cc|cpp|inc)$/.test(entry.name)) yield path;
  }
}

function main() {
  const top = resolve(dirname(fileURLToPath(import.meta.url)), '..');
  const core = join(top, 'core');
  const modules = readModules(readFileSync(join(core, 'CMakeLists.txt'), 'utf8'));
  const messages = [];
  const loop = cycle(modules);
  if (loop) messages.push(`core/CMakeLists.txt: dependencies go round: ${loop}`);
  let count = 0;
  const look = (dir, where) => {
    for (const file of sources(dir)) {
      count++;
      const text = readFileSync(file, 'utf8');
      for (const { line, what } of faultsOf(text, where, modules))
        messages.push(`${relative(top, file)}:${line}: ${what}`);
      text.split('\n').forEach((line, i) => {
        const own = line.match(/^\s*#\s*include\s*"(tabernetes\/[^"]+)"/)?.[1];
        if (own && !existsSync(join(core, 'include', own)))
          messages.push(`${relative(top, file)}:${i + 1}: there is no ${own}`);
      });
    }
  };
  for (const folder of readdirSync(core, { withFileTypes: true })) {
    if (!folder.isDirectory() || folder.name === 'include') continue;
    if (!modules.has(folder.name)) messages.push(`core/${folder.name}: no tab_module of that name`);
    else look(join(core, folder.name), { folder: folder.name });
  }
  look(join(core, 'include'), { publicHeader: true });
  for (const host of ['wasm', 'mock-server']) look(join(top, host), { host });
  for (const message of messages) console.error(message);
  console.log(`layers: ${count} files, ${messages.length} faults`);
  process.exit(messages.length ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
