// Every statement about the API that the tour makes, proved on the native server and on the package in Node.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareResourceVersions, decode, encode, ready } from '../../dist/index.js';
import { nativeHost, wasmHost } from './hosts.mjs';
import { pageModule, tourFiles } from './tour_code.mjs';

const { clusterKind, isGood, parseProof, readSections, runProof } = await pageModule('tour/proving.ts');
const sections = readSections(tourFiles());
const statements = sections.flatMap((section) => section.statements);
const proved = statements.filter(({ proof }) => proof !== undefined);
const codec = { encode, decode, compareResourceVersions };

/** Statements whose proofs fail as yet, which is exact: one that holds must be taken off. */
const kOpen = [];

test('there are 289 statements, 267 with a proof, each with an id of its own and in both languages', () => {
  assert.equal(statements.length, 289);
  assert.equal(proved.length, 267);
  assert.equal(new Set(statements.map(({ id }) => id)).size, 289);
  for (const { id, en, uk, heading } of statements) {
    assert.ok(en && uk, id);
    assert.match(uk, /[а-яіїєґ]/i, id);
    if (heading) assert.ok(heading.en && heading.uk, id);
  }
});

/** Returns what went wrong, as lines; empty if nothing did. */
async function faultsOf(statement, host) {
  const cluster = await host.fresh();
  try {
    const steps = parseProof(statement.proof);
    const all = await runProof(steps, cluster, codec);
    const last = all.at(-1);
    if (isGood(last) && all.length === steps.length) return '';
    const wrong = last.verdicts.filter(({ good }) => !good).map(({ check, found }) => `  ${check.text}, but found: ${found}`);
    const message = last.seen?.at?.('message');
    return [last.step.line, ...wrong, ...(last.fault ? [`  ${last.fault}`] : []), ...(message ? [`  ${message}`] : [])].join('\n');
  } finally {
    cluster.dispose();
  }
}

const needs = [...new Set(proved.map((each) => each.with))];
for (const [name, start] of [['native', nativeHost], ['in Node', wasmHost]]) {
  describe(name, { concurrency: true }, () => {
    for (const need of needs) {
      const chosen = proved.filter((each) => each.with === need);
      test(need ?? 'defaults', async (t) => {
        await ready();
        const host = await start(clusterKind(need));
        try {
          for (const statement of chosen) {
            await t.test(`${statement.id}: ${statement.en}`, async () => {
              const faults = await faultsOf(statement, host);
              if (kOpen.includes(statement.id)) assert.notEqual(faults, '', 'it holds now: take it off the list');
              else assert.equal(faults, '');
            });
          }
        } finally {
          await host.stop();
        }
      });
    }
  });
}
