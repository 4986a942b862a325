// Arrows that only the linker sees: what one unit declares, without including anything, and another defines.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declarationsOf } from './declarations.mjs';
import { reachable, unitOf } from './modules.mjs';

/**
 * What is declared in one place and defined in another: [{ path, line, what, name }]. A function or a member is to be
 * defined in the unit that declares it, a variable in the same folder. `files` are [{ path, text }] below core/, without
 * the public headers, which are implemented all over the core.
 */
export function faultsOfLinks(files, modules) {
  const all = files.flatMap(({ path, text }) => declarationsOf(text).map((each) => ({ ...each, path })));
  const definitions = new Map();
  for (const each of all) if (each.defines) definitions.set(each.name, [...(definitions.get(each.name) ?? []), each.path]);
  const faults = [];
  for (const { kind, name, path, line, defines } of all) {
    if (defines) continue;
    const near = (other) => (kind === 'variable' ? dirname(other) === dirname(path) : unitOf(modules, other) === unitOf(modules, path));
    const places = definitions.get(name) ?? [];
    if (places.length === 0 || places.some(near)) continue;
    faults.push({ path, line, name, what: `declares ${name}, which ${places[0]} defines; no include shows that` });
  }
  return faults;
}

/** The symbols of an archive: what its objects define strongly, and what they need of others. */
function symbolsOf(archive) {
  const defined = new Set();
  const needed = new Set();
  for (const line of execFileSync('nm', ['-P', '-g', archive], { encoding: 'utf8', maxBuffer: 1 << 30 }).split('\n')) {
    const [symbol, type] = line.split(' ');
    if (type === 'U') needed.add(symbol);
    else if (/^[TDBRSG]$/.test(type)) defined.add(symbol);
  }
  return { defined, needed };
}

/** The modules' static libraries in a build's folder: faults where one needs what a module defines that it may not include. */
export function faultsOfArchives(dir, modules) {
  const archives = new Map();
  for (const file of readdirSync(dir)) {
    const name = file.match(/^libtab_(\w+)\.a$/)?.[1];
    if (name && modules.has(name)) archives.set(name, symbolsOf(join(dir, file)));
  }
  return { count: archives.size, faults: faultsOfSymbols(archives, modules) };
}

/** The same of symbols that are read already: Map module → { defined, needed }. */
export function faultsOfSymbols(archives, modules) {
  const owners = new Map();
  for (const [name, { defined }] of archives) for (const symbol of defined) owners.set(symbol, [...(owners.get(symbol) ?? []), name]);
  const faults = [];
  for (const [name, { needed, defined }] of archives) {
    const reached = new Set([...reachable(modules, name)].map((unit) => unit.split('/')[0]));
    for (const symbol of needed) {
      const whose = owners.get(symbol) ?? [];
      if (whose.length === 0 || defined.has(symbol) || whose.some((owner) => reached.has(owner))) continue;
      faults.push(`${name} needs ${symbol} of ${whose[0]}, on which it does not depend`);
    }
  }
  return faults;
}
