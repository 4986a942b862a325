// Arrows between units that the texts of rules make: what a text calls by name (`&selector`, `@labels`, `?@template`)
// may stand in another file, which nothing includes.
import { constantOf, rowsOf, textsOf } from '../rules/sources.mjs';
import { mayInclude, unitOf } from './modules.mjs';

/** The text without details in quotes; places and lines stay. */
const bare = (text) => text.replace(/"[^"\n]*"|\|[^|\n]*\|/g, (found) => ' '.repeat(found.length));

/** What the texts of `files` call by name: [{ from, line, name, to }], paths of files; a name that nothing defines is left out. */
export function callsOfRules(files) {
  const read = files.map(({ path, text }) => ({ path, texts: textsOf(text).texts, rows: rowsOf(text) })).filter(({ texts, rows }) => texts.length || rows.length);
  const places = new Map();
  for (const { path, texts, rows } of read) {
    for (const { name } of texts) places.set(name, path);
    for (const { name } of rows) places.set(`@${name}`, path);
  }
  const calls = [];
  for (const { path, texts } of read)
    for (const { text, line, fills } of texts)
      for (const found of bare(text).matchAll(/(?<=^|[\s?!])([&@])([a-z][\w-]*)/gm)) {
        const to = places.get(found[1] === '@' ? `@${found[2]}` : constantOf(found[2], fills));
        if (to) calls.push({ from: path, line: line + text.slice(0, found.index).split('\n').length - 1, name: found[0], to });
      }
  return calls;
}

/** Faults of such calls: [{ path, line, what }]. */
export function faultsOfCalls(calls, modules) {
  const units = calls.map((call) => ({ ...call, fromUnit: unitOf(modules, call.from), toUnit: unitOf(modules, call.to) }));
  return units
    .filter(({ fromUnit, toUnit }) => fromUnit && toUnit && !mayInclude(modules, fromUnit, toUnit))
    .map(({ from, line, name, fromUnit, toUnit }) => ({ path: from, line, what: `${fromUnit} calls ${name} of ${toUnit}` }));
}
