#!/usr/bin/env node
// Writes wasm/src/cluster-options.ts from the tables of options and flags. A test of tools/test/ fails if the file is
// not what they say.
//
//   node tools/cluster_options.mjs
//
// A row of flags/options.json is an option of createCluster():
//
//   name     its name
//   doc      its documentation; {default} stands for the flag's default, {Default} for the same as the first word
//   type     its TypeScript type; that of a flag with choices is left out
//   flag     the flag of flags/serve.json that sets the same: it has the default, the greatest number, the choices
//   default  if the flag has no default, or there is no flag
//   core     wasm/options.cc reads it by its name: "same", or "converted" by normalizeOptions()
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { top } from './lib/top.mjs';

const kWidth = 120;
export const kTarget = 'wasm/src/cluster-options.ts';
const kOwnTypes = ['BinarySource', 'FetchWebhook', 'Manifest', 'SnapshotDocument', 'WasmSource'];
const kUnits = { ms: ['milliseconds', 1], s: ['seconds', 1000], m: ['minutes', 60_000], h: ['hours', 3_600_000] };

const read = (path) => JSON.parse(readFileSync(join(top, path), 'utf8'));

/** Returns the default of a flag as a value of JavaScript, and how a text names it; nothing if there is none. */
function defaultOf({ value, default: text }) {
  if (text === undefined) return {};
  if (value === 'N') return { usual: Number(text), words: text };
  if (value === 'BOOL') return { usual: text === 'true', words: text };
  if (value !== 'DURATION') return { usual: text, words: text };
  const [, number, unit] = /^(\d+)([a-z]+)$/.exec(text);
  const [units, milliseconds] = kUnits[unit];
  return { usual: Number(number) * milliseconds, words: `${number} ${units}` };
}

/** Returns the options, with what their flags say of them. Throws for a row that contradicts its flag. */
export function clusterOptions(rows = read('flags/options.json'), flags = read('flags/serve.json')) {
  return rows.map((row) => {
    const flag = row.flag === undefined ? {} : flags.find(({ name }) => name === row.flag);
    if (!flag) throw new Error(`${row.name}: there is no flag ${row.flag}`);
    const { usual, words } = defaultOf(flag);
    if (usual !== undefined && row.default !== undefined) throw new Error(`${row.name}: the flag ${row.flag} has the default`);
    if (flag.choices && row.type) throw new Error(`${row.name}: the flag ${row.flag} has the choices`);
    const type = flag.choices ? flag.choices.map((choice) => `'${choice}'`).join(' | ') : row.type;
    const option = { ...row, type, default: row.default ?? usual, words, most: flag.most, choices: flag.choices };
    if (option.core === 'same' && option.default === undefined) throw new Error(`${row.name}: a default is needed`);
    return option;
  });
}

/** Returns the lines of a documentation comment. */
function comment(text, indent = '') {
  const single = `${indent}/** ${text} */`;
  if (single.length <= kWidth) return single;
  const lines = [];
  let line = `${indent} *`;
  for (const word of text.split(' ')) {
    if (`${line} ${word}`.length > kWidth) {
      lines.push(line);
      line = `${indent} *`;
    }
    line += ` ${word}`;
  }
  return [`${indent}/**`, ...lines, line, `${indent} */`].join('\n');
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function docOf({ name, doc, words }) {
  if (/\{[Dd]efault\}/.test(doc) && words === undefined) throw new Error(`${name}: the flag has no default`);
  return doc.replace('{default}', words).replace('{Default}', () => capital(words));
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : Array.isArray(value) ? '[]' : String(value));
const record = (options, valueOf) => options.map((option) => `  ${option.name}: ${valueOf(option)},\n`).join('');

/** Returns the text of the TypeScript file. */
export function typescript(options = clusterOptions()) {
  const same = options.filter(({ core }) => core === 'same');
  return `// Written by tools/cluster_options.mjs from flags/options.json and flags/serve.json: change those.
import type { Backend } from './backend.js';
import type { ${kOwnTypes.join(', ')} } from './options.js';

/**
 * Options of a new cluster.
 *
 * \`\`\`ts
 * const options: ClusterOptions = { load: yamlText, seed: 1, now: '2026-01-01T00:00:00Z', controllers: 'none' };
 * \`\`\`
 */
export interface ClusterOptions {
${options.map((option) => `${comment(docOf(option), '  ')}\n  ${option.name}?: ${option.type};\n`).join('')}}

/** The names of all options. */
export const kOptionNames: readonly string[] = [
${options.map(({ name }) => `  '${name}',\n`).join('')}];

/** The options that the core takes as they are. */
export type PlainOptions = Required<
  Pick<
    ClusterOptions,
${same.map(({ name }) => `    | '${name}'\n`).join('')}  >
>;

/** Their values where none is given. */
export const kDefaults: PlainOptions = {
${record(same, (option) => literal(option.default))}};

/** The greatest numbers that are accepted. */
export const kMost = {
${record(options.filter(({ most }) => most), ({ most }) => `${most}n`)}};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(top, kTarget), typescript());
