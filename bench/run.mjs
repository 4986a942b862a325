#!/usr/bin/env node
// Runs the benchmarks, one file each in this folder, and prints a table of the measurements and their budgets.
//
//   node bench/run.mjs [--json FILE] [NAME…]      npm run bench builds first
//
// A benchmark NAME.mjs exports
//
//   doc              what it measures, in a few words
//   missing()        the reason why it cannot run here (a file or program is missing), or undefined
//   run()            -> [{ measure, value, unit, budget?, higher? }]: numbers; `budget` is an upper limit in the same
//                    unit, or with `higher` a lower one; a peer's number is a row without a budget
//
// Machines are noisy: compare within one run. A missed budget is printed and is not a failure. README.md has the
// recorded figures.
import { readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

function parse(args) {
  const names = [];
  let json;
  for (let i = 0; i < args.length; ++i) {
    if (args[i] === '--json') json = args[++i];
    else if (args[i].startsWith('--json=')) json = args[i].slice('--json='.length);
    else if (args[i].startsWith('-')) throw new Error(`unknown flag ${args[i]}`);
    else names.push(args[i]);
  }
  return { names, json };
}

const known = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.slice(0, -'.mjs'.length))
  .sort();

function verdict({ value, budget, higher }) {
  if (budget === undefined) return '';
  return (higher ? value >= budget : value <= budget) ? 'ok' : 'MISSED';
}

const number = (value) =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

function print(rows) {
  const header = ['benchmark', 'measure', 'value', 'budget', ''];
  const cells = rows.map((row) => [
    row.benchmark,
    row.measure,
    row.value === undefined ? '' : `${number(row.value)} ${row.unit}`,
    row.budget === undefined ? '' : `${row.higher ? '≥' : '≤'} ${number(row.budget)} ${row.unit}`,
    verdict(row),
  ]);
  const widths = header.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i].length)));
  for (const row of [header, ...cells]) {
    console.log(row.map((cell, i) => (i === 2 || i === 3 ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ').trimEnd());
  }
}

const { names, json } = parse(process.argv.slice(2));
const wrong = names.find((name) => !known.includes(name));
if (wrong) {
  console.error(`there is no benchmark ${wrong}; there are ${known.join(', ')}`);
  process.exit(2);
}

const rows = [];
for (const name of names.length ? names : known) {
  try {
    const benchmark = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    const reason = benchmark.missing?.();
    console.error(reason ? `${name}: left out: ${reason}` : `${name}: ${benchmark.doc} …`);
    if (!reason) for (const row of await benchmark.run()) rows.push({ benchmark: name, ...row });
  } catch (error) {
    // The others still run.
    console.error(`${name}: ${error.stack}`);
    process.exitCode = 1;
  }
}
print(rows);
if (json) {
  const report = { time: new Date().toISOString(), cpus: cpus().length, cpu: cpus()[0]?.model, node: process.version, rows };
  writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
}
