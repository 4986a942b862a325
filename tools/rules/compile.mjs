#!/usr/bin/env node
// Compiles rules (core/rules/rules.h describes their language) when the core is built: the texts of TAB_RULES and TAB_DEFAULTS become one C++ file
// with their programs. An error in a text is printed like that of a compiler, with file, line and column, and ends the build.
//
// `node tools/rules/compile.mjs OUTPUT RULES PATH...`: RULES is core/rules; the paths are folders or files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCatalogue } from '../catalogue/read.mjs';
import { encode } from './encode.mjs';
import { readRules } from './language.mjs';
import { constantOf, enumOf, formatsOf, rowsOf, sourceFiles, textsOf } from './sources.mjs';

/** Numbers what is named, in the order of the first use. */
class Numbered {
  #numbers = new Map();
  of(item) {
    if (!this.#numbers.has(item)) this.#numbers.set(item, this.#numbers.size);
    return this.#numbers.get(item);
  }
  get items() {
    return [...this.#numbers.keys()];
  }
}

/** Returns { texts, rows, faults } of files: { path: source }. */
function gather(files) {
  const all = { texts: new Map(), rows: { checks: new Map(), predicates: new Map(), fills: new Map() }, faults: [] };
  for (const [file, source] of Object.entries(files)) {
    const { texts, faults } = textsOf(source);
    const fault = (at, what) => all.faults.push({ file, line: at.line, column: at.column, what });
    for (const each of faults) fault(each, each.what);
    for (const text of texts) {
      if (all.texts.has(text.name)) fault(text, `there is another ${text.name}, in ${all.texts.get(text.name).file}`);
      else all.texts.set(text.name, { file, ...text });
    }
    for (const row of rowsOf(source)) {
      if (all.rows[row.kind].has(row.name)) fault({ line: 1, column: 1 }, `there is another "${row.name}" in ${all.rows[row.kind].get(row.name).table}`);
      all.rows[row.kind].set(row.name, row);
    }
  }
  return all;
}

/**
 * Compiles sources: { path: text }. `language`: { steps, tests, formats, types, gates }, from languageOf().
 * Returns { faults: [{ file, line, column, name, what }], programs: [{ name, namespace, fills, bytes }], checks, predicates, fills }: the rows in use.
 */
export function compile(files, language) {
  const { texts, rows, faults } = gather(files);
  const order = [...texts.keys()];
  const used = { checks: new Numbered(), predicates: new Numbered(), fills: new Numbered() };
  const programs = [];
  for (const text of texts.values()) {
    const shared = { has: (name) => texts.has(constantOf(name, text.fills)) };
    const read = readRules(text.text, { ...rows, ...language, shared }, text.fills);
    for (const { line, column, what } of read.faults) {
      const at = !text.raw ? text : { line: text.line + line, column: line === 0 ? text.column + column : column + 1 };
      faults.push({ file: text.file, line: at.line, column: at.column, name: text.name, what });
    }
    if (faults.length) continue;
    const numberIn = (kind) => (name) => used[kind].of(rows[kind].get(name));
    const bytes = encode(read.steps, {
      ...language,
      checks: numberIn('checks'),
      predicates: numberIn('predicates'),
      fills: numberIn('fills'),
      shared: (name) => order.indexOf(constantOf(name, text.fills)),
    });
    programs.push({ name: text.name, namespace: text.namespace, fills: text.fills, bytes });
  }
  return { faults, programs, checks: used.checks.items, predicates: used.predicates.items, fills: used.fills.items };
}

/** Returns the C++ of a compiled unit. */
export function cppOf({ programs, ...rows }, from) {
  const tables = new Map(Object.values(rows).flat().map((row) => [row.table, row]));
  const starts = [0];
  for (const { bytes } of programs) starts.push(starts.at(-1) + bytes.length);
  const list = (items, width) => {
    const lines = [];
    for (let i = 0; i < items.length; i += width) lines.push(`    ${items.slice(i, i + width).join(', ')},`);
    return lines.join('\n');
  };
  const pointers = (name, type, used) => `constexpr const ${type}* ${name}[] = {\n${used.map((row) => `    &${row.namespace}::${row.table}[${row.index}],`).join('\n')}${used.length ? '\n' : '    nullptr,\n'}};`;
  const declared = [...tables.values()].map((row) => `namespace ${row.namespace} {\nextern const tabernetes::registry::validation::${row.type} ${row.table}[${row.size}];\n}`);
  const defined = programs.map(({ name, namespace, fills }, i) => {
    const type = `tabernetes::registry::validation::${fills ? 'Defaults' : 'Rules'}`;
    return `namespace ${namespace} {\nextern const ${type} ${name};\nconst ${type} ${name}(kTables, ${i});\n}`;
  });
  return `// Made by tools/rules/compile.mjs from ${from}.
#include "rules/program.h"

${declared.join('\n')}

namespace {

using namespace tabernetes::registry::validation;

constexpr std::uint8_t kCode[] = {
${programs.map(({ name, bytes }) => `    // ${name}\n${list(bytes, 24)}`).join('\n')}
};
constexpr std::uint32_t kStarts[] = {
${list(starts, 16)}
};
${pointers('kChecks', 'NamedCheck', rows.checks)}
${pointers('kPredicates', 'NamedPredicate', rows.predicates)}
${pointers('kFillers', 'NamedFill', rows.fills)}
const tabernetes::AtomicLazy<Program> kDecoded[${programs.length}];
constexpr RuleTables kTables{kCode, kStarts, kChecks, kPredicates, kFillers, kDecoded};

}  // namespace

${defined.join('\n')}
`;
}

/** Reads the parts of the language that core/rules and the catalogue define. */
export function languageOf(rules) {
  const program = readFileSync(join(rules, 'program.h'), 'utf8');
  const catalogue = readCatalogue(join(rules, '../schema/catalogue'));
  return {
    steps: enumOf(program, 'StepKind'),
    tests: enumOf(program, 'ConditionKind'),
    formats: formatsOf(readFileSync(join(rules, 'formats.cc'), 'utf8')),
    types: new Set(catalogue.types.map((type) => type.short)),
    gates: new Set(catalogue.gates.map((gate) => gate.name)),
  };
}

function main([output, rules, ...paths]) {
  if (paths.length === 0) throw new Error('usage: compile.mjs OUTPUT RULES PATH...');
  const files = {};
  for (const path of paths) for (const file of sourceFiles(path)) files[file] = readFileSync(file, 'utf8');
  const unit = compile(files, languageOf(rules));
  // The path as a compiler shows it, whatever the folder in which the build runs.
  const shown = (file) => (relative(process.cwd(), file).startsWith('..') ? resolve(file) : relative(process.cwd(), file));
  for (const { file, line, column, name, what } of unit.faults) console.error(`${shown(file)}:${line}:${column}: error: ${name ? `${name}: ` : ''}${what}`);
  if (unit.faults.length) process.exit(1);
  const top = fileURLToPath(new URL('../../', import.meta.url));
  const text = cppOf(unit, paths.map((path) => relative(top, path)).join(', '));
  if (existsSync(output) && readFileSync(output, 'utf8') === text) return; // nothing is compiled again
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
