// Kills etcd or one of two servers over it at random moments under load, again and again, and checks that all answers fit
// one order of the operations. A short form runs with the tests, the long one is `npm run torture -- etcd 100`.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Etcd } from './etcd_server.mjs';
import { isLinearizable, randomHistory } from './linearizability.mjs';
import { binary, serve, waitFor } from './server.mjs';

/** A generator of numbers below 1 that begins with `seed`. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Runs that many rounds in `directory` and throws what is wrong. Returns { operations, kills }. */
export async function torture({ directory, rounds, seed, onRound = () => {} }) {
  const random = randomFrom(seed);
  const etcd = await Etcd.start(join(directory, 'etcd'));
  const flags = ['--etcd-servers', etcd.url, '--nodes', '0', '--controllers', 'none', '--scheduler=false'];
  const running = await Promise.all([0, 1].map(() => serve(binary, ...flags)));
  const servers = running.map((_, n) => ({
    async send(method, path, object) {
      const body = object === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) };
      const answer = await fetch(running[n].url + path, { method, ...body, signal: AbortSignal.timeout(10_000) });
      return { status: answer.status, body: await answer.json() };
    },
  }));
  let operations = 0;
  let kills = 0;
  try {
    for (let round = 0; round < rounds; ++round) {
      let onBegin;
      const begun = new Promise((resolve) => (onBegin = resolve));
      const kill = async () => {
        await begun;
        await new Promise((resolve) => setTimeout(resolve, 100 + random() * 400));
        const victim = Math.floor(random() * 3);
        ++kills;
        if (victim === 2) {
          await etcd.stop('SIGKILL');
          await etcd.restart();
        } else {
          await running[victim].stop('SIGKILL');
          running[victim] = await serve(binary, ...flags);
        }
      };
      const [done] = await Promise.all([randomHistory(servers, { ms: 900, random, prefix: `round-${round}`, onBegin }), kill()]);
      operations += done.operations;
      for (const [key, log] of done.history) assert.ok(isLinearizable(log, 'first'), `round ${round}, ${key}: ${JSON.stringify(log)}`);
      // All goes on by itself.
      await waitFor(() => Promise.all(servers.map(({ send }) => send('GET', '/api/v1/namespaces/default'))).then((all) => all.every(({ status }) => status === 200), () => false), 20_000);
      await waitFor(() => Promise.all(running.map(({ url }) => fetch(`${url}/readyz`))).then((all) => all.every(({ ok }) => ok), () => false), 20_000, () => 'both to be ready');
      onRound(round);
    }
    return { operations, kills };
  } finally {
    await Promise.all([etcd, ...running].map((each) => each.stop('SIGKILL')));
  }
}
