#!/usr/bin/env node
// Holds the core to its architecture. Reads DEPS and ROOMS from core/*/module.cmake and fails when
// - folders or rooms go round, or an arrow between rooms is declared that nothing needs,
// - a file includes of another folder or room what is not declared, or stands in no room of a folder that has rooms,
// - a text of rules calls by name what such a room defines,
// - something is declared in one place and defined in another, so that only the linker sees the arrow,
// - a public header (core/include/tabernetes) includes anything of the core but public headers,
// - the core includes threads, locks, streams, files or randomness, asks for the time, or instantiates a sort,
// - a host (wasm, mock-server) includes of the core anything but tabernetes/*.h,
// - an include of ours names a file that does not exist.
// `--archives DIR` also asks the static libraries of a build.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOf, idleArrows, includesOf } from './layers/includes.mjs';
import { faultsOfArchives, faultsOfLinks } from './layers/links.mjs';
import { faultsOfModules, readModules, unitOf } from './layers/modules.mjs';
import { callsOfRules, faultsOfCalls } from './layers/rules.mjs';

/** Declarations whose definition stands elsewhere, and why that is so: { path, names, why }. */
const kKnown = [];

const top = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const core = join(top, 'core');

/** The sources below a folder: [{ path, text }], paths from that folder. */
function sources(dir, below = dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(path, below);
    return /\.(h|cc|cpp|inc)$/.test(entry.name) ? [{ path: relative(below, path), text: readFileSync(path, 'utf8') }] : [];
  });
}

function missingIncludes(text) {
  const exists = (own) => !own?.startsWith('tabernetes/') || existsSync(join(core, 'include', own));
  return includesOf(text).filter(({ own }) => !exists(own)).map(({ line, own }) => ({ line, what: `there is no ${own}` }));
}

/** Link faults but the known ones; a known one that is no fault any more is one. */
function linkFaults(files, modules) {
  const isKnown = ({ path, name }) => kKnown.some((known) => known.path === path && known.names.includes(name.split('::').at(-1)));
  const faults = faultsOfLinks(files, modules);
  const found = new Set(faults.filter(isKnown).map(({ path, name }) => `${path} ${name.split('::').at(-1)}`));
  const mended = kKnown.flatMap(({ path, names }) => names.filter((name) => !found.has(`${path} ${name}`)).map((name) => `tools/check_layers.mjs: ${name} of ${path} needs no exception any more`));
  return [...faults.filter((fault) => !isKnown(fault)).map(({ path, line, what }) => `core/${path}:${line}: ${what}`), ...mended];
}

function main() {
  const modules = readModules(readdirSync(core).map((name) => join(core, name, 'module.cmake')).filter(existsSync).map((path) => readFileSync(path, 'utf8')).join('\n'));
  const messages = faultsOfModules(modules).map((what) => `core: ${what}`);
  let count = 0;
  const look = (folder, { path, text }, where) => {
    count++;
    for (const { line, what } of [...faultsOf(text, where, modules), ...missingIncludes(text)]) messages.push(`${folder}/${path}:${line}: ${what}`);
  };
  const files = sources(core).filter(({ path }) => !path.startsWith('include/'));
  for (const file of files) {
    const unit = unitOf(modules, file.path);
    if (unit === undefined) messages.push(`core/${file.path}: no tab_module or room for it in core/*/module.cmake`);
    else look('core', file, { unit });
  }
  for (const file of sources(join(core, 'include'))) look('core/include', file, { publicHeader: true });
  for (const host of ['wasm', 'mock-server']) for (const file of sources(join(top, host))) look(host, file, { host });
  const calls = callsOfRules(files);
  messages.push(...faultsOfCalls(calls, modules).map(({ path, line, what }) => `core/${path}:${line}: ${what}`));
  messages.push(...idleArrows(files, modules, calls).map((what) => `core: ${what}`), ...linkFaults(files, modules));

  const at = process.argv.indexOf('--archives');
  const archives = at < 0 ? { count: 0, faults: [] } : faultsOfArchives(process.argv[at + 1], modules);
  messages.push(...archives.faults);
  if (at >= 0 && archives.count === 0) messages.push(`${process.argv[at + 1]}: no libraries of the core`);
  for (const message of messages) console.error(message);
  console.log(`layers: ${count} files${archives.count ? `, ${archives.count} libraries` : ''}, ${messages.length} faults`);
  process.exit(messages.length ? 1 : 0);
}

main();
