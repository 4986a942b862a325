#!/usr/bin/env node
// `npm run torture -- sqlite|etcd [rounds] [seed]`: kills the native server, or etcd, under load at random points, by
// default 100 times, and holds what is there afterwards against what was acknowledged (tests/mock-server/data_torture.mjs),
// or all answers against each other (etcd_torture.mjs). npm test runs a few rounds.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, top, Trouble } from './lib/run.mjs';

await main(async () => {
  const [backend, rounds = '100', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  if (!['sqlite', 'etcd'].includes(backend) || !(Number(rounds) > 0)) throw new Trouble('usage: npm run torture -- sqlite|etcd [rounds] [seed]');
  process.env.TABERNETES ??= ['native/tabernetes', 'release/bin/tabernetes'].map((path) => join(top, 'build', path)).find((path) => existsSync(path));
  if (!process.env.TABERNETES) throw new Trouble('the native server is not built: npm run build -- native');
  const { torture } = await import(`../tests/mock-server/${backend === 'etcd' ? 'etcd' : 'data'}_torture.mjs`);
  const directory = mkdtempSync(join(tmpdir(), 'tabernetes-torture-'));
  console.log(`seed ${seed}, ${directory}`);
  const onRound = (round) => round % 10 === 0 && console.log(`round ${round}`);
  const done = await torture({ directory, rounds: Number(rounds), seed: Number(seed), onRound });
  rmSync(directory, { recursive: true });
  if (backend === 'etcd') return console.log(`${done.kills} kills, ${done.operations} operations answered, all in one order`);
  const { acknowledged, unanswered } = done;
  console.log(`${rounds} kills, ${acknowledged} writes acknowledged, none lost; ${unanswered} had no answer yet`);
});
