#!/usr/bin/env node
// `npm run matrix [-- TOOL…]`: the npm package in every test tool at two major versions, each in an empty project; writes
// the rows of docs/test-tools.md, only those of the given tools if there are any. A version that needs a newer Node.js than 20 runs in one from the registry.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeTest } from './lib/counts.mjs';
import { main, run, top } from './lib/run.mjs';
import { chromium } from './setup.mjs';
import { kNewerNode, newerNode } from '../tests/tools/newer_node.mjs';
import { kToolTests, tools } from '../tests/tools/versions.mjs';

const document = join(top, 'docs/test-tools.md');
const kBegin = '<!-- npm run matrix writes this table -->\n';
const kEnd = '<!-- end -->';

/** Runs the tests of one tool with these packages; returns a row of the table. */
async function row(tool, packages, tests = kToolTests) {
  const needsNewer = packages.some((name) => name in kNeedsNewer);
  const env = { CHROMIUM: chromium(), TABERNETES_TOOLS: JSON.stringify({ [tool]: packages }) };
  if (needsNewer) Object.assign(env, { TABERNETES_NODE: await newerNode(), TABERNETES_NODE_MAJOR: kNewerNode.split('.')[0] });
  const { code, output } = await run(process.execPath, ['--test', `tests/tools/${tests}`], { check: false, quiet: true, env, timeout: 900 });
  const { passed, failed } = nodeTest(output);
  if (code !== 0) console.log(output.split('\n').filter((line) => /^not ok|error:|^ {4}\S/.test(line)).slice(0, 20).join('\n'));
  const [name, ...others] = packages;
  const beside = [...others, ...(needsNewer ? [`Node.js ${kNewerNode}`] : [])].join(', ');
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  return { name, line: `| ${name} | ${beside} | ${code === 0 ? 'all' : `${failed} of ${passed + failed} fail`} |`, good: code === 0 };
}

const kNeedsNewer = Object.fromEntries(Object.values(tools).flatMap(({ newer = [] }) => newer).map((name) => [name, true]));

await main(async () => {
  const wanted = process.argv.slice(2);
  const rows = [];
  for (const [tool, { test, others, tests }] of Object.entries(tools)) {
    if (wanted.length > 0 && !wanted.includes(tool)) continue;
    for (const packages of [test, ...others]) rows.push(await row(tool, packages, tests));
  }
  const text = readFileSync(document, 'utf8');
  const [before, rest] = text.split(kBegin);
  const written = rest.slice(0, rest.indexOf(kEnd)).split('\n');
  const lines = Object.values(tools).flatMap(({ test, others }) => [test, ...others]).flatMap(([name]) => {
    const found = rows.find((row) => row.name === name)?.line ?? written.find((line) => line.startsWith(`| ${name} |`));
    return found ?? [];
  });
  const table = ['| package | beside it | tests that pass |', '| --- | --- | --- |', ...lines].join('\n');
  writeFileSync(document, `${before}${kBegin}${table}\n${rest.slice(rest.indexOf(kEnd))}`);
  process.exitCode = rows.every(({ good }) => good) ? 0 : 1;
});
