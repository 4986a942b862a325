// Holds the lines of one file to the architecture: what it includes, and that it neither asks for the time nor instantiates a sort.
import { mayInclude, unitOf } from './modules.mjs';

const kForbiddenHeaders = ['thread', 'mutex', 'shared_mutex', 'condition_variable', 'future', 'iostream', 'fstream', 'random'];
const kForbiddenText = [
  [/::now\s*\(/, 'asks the time; it comes in through advance()'],
  [/\bstd::(?:ranges::)?(?:stable_)?sort\s*\(/, 'instantiates a sort; sort_stable of base/algorithm/sort.h is compiled once'],
];

/** The files that a text includes: [{ line, system, own }], one of both. */
export function includesOf(text) {
  const found = [];
  text.split('\n').forEach((line, i) => {
    const [, system, own] = line.match(/^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")/) ?? [];
    if (system || own) found.push({ line: i + 1, system, own });
  });
  return found;
}

function includeFault(path, where, modules) {
  const first = path.split('/')[0];
  if (first === 'tabernetes' || !modules.has(first) || !path.includes('/')) return undefined;
  if (where.host) return `a host includes ${path}; it may include tabernetes/*.h only`;
  if (where.publicHeader) return `a public header includes ${path}, which hosts do not see`;
  const unit = unitOf(modules, path);
  if (unit === undefined) return `${path} stands in no declared room`;
  if (!mayInclude(modules, where.unit, unit)) return `${where.unit} may not include ${unit}`;
}

/** Faults of one file: [{ line, what }]. `where` is { unit } in the core, { publicHeader } or { host }. */
export function faultsOf(text, where, modules) {
  const faults = [];
  for (const { line, system, own } of includesOf(text)) {
    const what = includeFault(own ?? system, where, modules);
    if (what) faults.push({ line, what });
    if (!where.host && kForbiddenHeaders.includes(system)) faults.push({ line, what: `<${system}> has no place in the core` });
  }
  if (where.host) return faults;
  text.split('\n').forEach((line, i) => {
    const code = line.replace(/\/\/.*$/, '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
    for (const [pattern, what] of kForbiddenText) if (pattern.test(code)) faults.push({ line: i + 1, what });
  });
  return faults;
}

/** Arrows between rooms that are declared and that neither an include nor a call of rules needs. `files` are [{ path, text }] below core/. */
export function idleArrows(files, modules, calls = []) {
  const used = new Set(calls.map(({ from, to }) => `${unitOf(modules, from)} → ${unitOf(modules, to)}`));
  for (const { path, text } of files) {
    const from = unitOf(modules, path);
    for (const { own } of includesOf(text)) if (own && from) used.add(`${from} → ${unitOf(modules, own)}`);
  }
  const idle = [];
  for (const [name, { rooms }] of modules)
    for (const [room, others] of rooms ?? [])
      for (const other of others) if (!used.has(`${name}/${room} → ${name}/${other}`)) idle.push(`${name}/${room} includes nothing of ${name}/${other}`);
  return idle;
}
