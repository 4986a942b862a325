#!/usr/bin/env node
// `npm run why -- TOPIC/NAME [--host native|wasm-node] [--width 160]`: shows why a conformance case fails. For each
// answer that differs, it prints the recording on the left and the answer on the right; `|`, `<` and `>` mark the lines
// that differ.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeResult } from './runner/report.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { host: { type: 'string', default: 'native' }, width: { type: 'string', default: String(process.stdout.columns ?? 160) } },
});

/** Returns the two texts side by side, by diff, which is in diffutils and on every system that can build this. */
function beside({ expected, got }) {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-why-'));
  try {
    const files = Object.entries({ recorded: expected, came: got }).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const { stdout, error } = spawnSync('diff', ['--side-by-side', '--expand-tabs', `--width=${values.width}`, ...files], { encoding: 'utf8' });
    if (error) throw error;
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tell(result) {
  if (result.failures.length === 0) return console.log(`${result.name}: green`);
  for (const failure of result.failures) {
    if (failure.sides) console.log(`\n${result.name}, step ${failure.step}: ${failure.request}\n\n${beside(failure.sides)}`);
    else console.log(`\n${describeResult({ name: result.name, failures: [failure] })}`);
  }
}

if (positionals.length === 0 || !['native', 'wasm-node'].includes(values.host)) {
  console.error('npm run why -- TOPIC/NAME [--host native|wasm-node] [--width COLUMNS]');
  process.exit(2);
}
const { run } = await import(`./runner/hosts/${values.host}.mjs`);
const { results } = await run({ only: positionals, report: () => {} });
if (results.length === 0) {
  console.error(`no scenario begins with ${positionals.join(' or ')}`);
  process.exit(2);
}
results.forEach(tell);
process.exitCode = results.some(({ failures }) => failures.length) ? 1 : 0;
