// Reads from C++ sources the texts of rules, and the tables of names that they may use.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Yields the C++ files of a folder, or the file itself, in order. */
export function* sourceFiles(path) {
  if (/\.(cc|h)$/.test(path)) return yield path;
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) if (entry.isDirectory() || /\.(cc|h)$/.test(entry.name)) yield* sourceFiles(join(path, entry.name));
}

/** Returns the namespace at an offset; undefined within one that has no name. */
function namespaceAt(source, offset) {
  const open = [];
  for (const [, opened, closed] of source.slice(0, offset).matchAll(/^(?:namespace ?([\w:]*) \{|(\}  \/\/ namespace.*))$/gm)) {
    if (closed === undefined) open.push(opened);
    else open.pop();
  }
  return open.includes('') ? undefined : open.join('::');
}

const positionAt = (source, offset) => ({ line: source.slice(0, offset).split('\n').length, column: offset - source.lastIndexOf('\n', offset - 1) });

const unescaped = (text) => text.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign));

/**
 * Returns { texts, faults } of a source: its TAB_RULES and TAB_DEFAULTS. Of a text: { name, namespace, fills, text, line, column, raw }, where it
 * begins, from 1; of a fault: { line, column, what }.
 */
export function textsOf(source) {
  const texts = [];
  const faults = [];
  for (const found of source.matchAll(/^TAB_(RULES|DEFAULTS)\(/gm)) {
    const fault = (what) => faults.push({ ...positionAt(source, found.index), what });
    const form = /^TAB_\w+\(\s*(k\w+),\s*(?:R"(~?)\((.*?)\)\2"|"((?:[^"\\\n]|\\.)*)")\);$/ms;
    const match = form.exec(source.slice(found.index));
    if (match?.index !== 0) {
      fault(`TAB_${found[1]} wants a name and one literal`);
      continue;
    }
    const [, name, delimiter, raw, plain] = match;
    const ending = found[1] === 'RULES' ? 'Rules' : 'Defaults';
    if (!name.endsWith(ending)) fault(`the name ${name} does not end in ${ending}`);
    const namespace = namespaceAt(source, found.index);
    if (namespace === undefined) fault(`${name} is in an unnamed namespace`);
    const begin = found.index + match[0].indexOf('"', match[0].indexOf(name)) + 1 + (raw === undefined ? 0 : delimiter.length + 1);
    texts.push({ name, namespace, fills: ending === 'Defaults', text: raw ?? unescaped(plain), raw: raw !== undefined, ...positionAt(source, begin) });
  }
  return { texts, faults };
}

const kTables = { NamedCheck: 'checks', NamedPredicate: 'predicates', NamedFill: 'fills' };

/** Returns the rows of a source's tables: [{ kind: 'checks', name: 'labels', type: 'NamedCheck', namespace, table: 'kCommonChecks', index, size }]. */
export function rowsOf(source) {
  const rows = [];
  for (const found of source.matchAll(/^extern const (NamedCheck|NamedPredicate|NamedFill) (k\w+)\[\] = \{(.*?)\};/gms)) {
    const [, type, table, body] = found;
    const namespace = namespaceAt(source, found.index);
    const names = [...body.matchAll(/\{"([\w-]+)",/g)].map(([, name]) => name);
    for (const [index, name] of names.entries()) rows.push({ kind: kTables[type], name, type, namespace, table, index, size: names.length });
  }
  return rows;
}

/** Returns a source's enumerators: Map name → number. */
export function enumOf(source, name) {
  const [, body] = new RegExp(`enum class ${name}\\b[^{]*\\{(.*?)\\};`, 's').exec(source) ?? [];
  if (body === undefined) throw new Error(`there is no enum ${name}`);
  const names = body.replace(/\/\/.*$/gm, '').match(/\bk\w+/g);
  return new Map(names.map((each, number) => [each, number]));
}

/** Returns the formats of core/rules/formats.cc: Map name → number. */
export function formatsOf(source) {
  const [, body] = /FormatRow kFormats\[\] = \{(.*?)\n\};/s.exec(source) ?? [];
  if (body === undefined) throw new Error('there are no formats');
  return new Map([...body.matchAll(/\{"([\w-]+)",/g)].map(([, name], number) => [name, number]));
}

/** Returns the constant of the rules that a text calls by `name`: `pod-spec` is kPodSpecRules, `match-defaults` kMatchDefaults. */
export function constantOf(name, fills) {
  const camel = name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  const ending = fills ? 'Defaults' : 'Rules';
  return `k${camel.endsWith(ending) ? camel : camel + ending}`;
}
