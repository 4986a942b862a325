// Kills a server with --data-dir at random points under load, again and again, and holds what it has afterwards against
// what it had acknowledged. A short form runs with the tests, the long one is `npm run torture -- sqlite 1000`.
import assert from 'node:assert/strict';
import { binary, run, serve } from './server.mjs';

const kConnections = 8;
const configMaps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };

/** A generator of numbers below 1 that begins with `seed`. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * One client's objects, and for each what it must be and what it may be. `known` is what was acknowledged last,
 * `maybe` the write that nobody has answered: either is right after a crash.
 */
class Client {
  constructor(number, random) {
    this.prefix = `client-${number}`;
    this.random = random;
    this.known = new Map(); // name → text, null if deleted
    this.maybe = undefined; // { name, text }
    this.versions = new Map(); // name → the resourceVersion acknowledged last
    this.acknowledged = 0;
    this.count = 0;
  }

  /** Writes one thing after the other until the server is gone. */
  async load(url) {
    for (;;) {
      const name = `${this.prefix}-${Math.floor(this.random() * 20)}`;
      const exists = this.known.get(name) != null;
      const deletes = exists && this.random() < 0.2;
      const text = deletes ? null : `${++this.count}`;
      this.maybe = { name, text };
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } });
      let answer;
      try {
        if (deletes) answer = await fetch(`${url}${configMaps}/${name}`, { method: 'DELETE' });
        else if (exists) answer = await fetch(`${url}${configMaps}/${name}`, { method: 'PUT', headers: json, body });
        else answer = await fetch(`${url}${configMaps}`, { method: 'POST', headers: json, body });
        const object = await answer.json();
        if (!deletes) this.versions.set(name, BigInt(object.metadata.resourceVersion));
      } catch {
        return; // killed; nobody knows about `maybe`
      }
      assert.ok(answer.ok, `${answer.status} for ${name}`);
      this.known.set(name, text);
      this.maybe = undefined;
      ++this.acknowledged;
    }
  }

  /** Holds the objects that are there against what they must be, and goes on from there. */
  check(found) {
    for (const [name, object] of found) {
      if (name.startsWith(`${this.prefix}-`) && !this.known.has(name) && this.maybe?.name !== name) assert.fail(`${name} was never written`);
      const version = this.versions.get(name);
      if (version !== undefined) assert.ok(BigInt(object.metadata.resourceVersion) >= version || this.known.get(name) === null, `${name} is older than acknowledged`);
    }
    for (const name of new Set([...this.known.keys(), ...(this.maybe ? [this.maybe.name] : [])])) {
      const is = found.get(name)?.data?.text ?? null;
      const right = [this.known.get(name) ?? null];
      if (this.maybe?.name === name) right.push(this.maybe.text);
      assert.ok(right.includes(is), `${name} is ${is}; it may be ${right.join(' or ')}`);
      this.known.set(name, is);
    }
    this.maybe = undefined;
  }
}

/** Reads the events after `version` and makes them on `objects`. */
async function follow(url, version, objects) {
  const list = await (await fetch(`${url}${configMaps}`)).json();
  const answer = await fetch(`${url}${configMaps}?watch=1&resourceVersion=${version}&timeoutSeconds=1`);
  let last = BigInt(version);
  for (const line of (await answer.text()).split('\n').filter(Boolean)) {
    const { type, object } = JSON.parse(line);
    assert.ok(type !== 'ERROR', line);
    const { name, resourceVersion } = object.metadata;
    assert.ok(BigInt(resourceVersion) > last, `event of ${name} goes back`);
    last = BigInt(resourceVersion);
    assert.equal(type === 'ADDED', !objects.has(name), `${type} ${name}`);
    if (type === 'DELETED') objects.delete(name);
    else objects.set(name, object);
  }
  const listed = new Map(list.items.map((item) => [item.metadata.name, item]));
  const names = (map) => [...map.keys()].sort();
  assert.deepEqual(names(objects), names(listed), 'the history leads to another state');
  for (const [name, object] of listed) assert.equal(objects.get(name).metadata.resourceVersion, object.metadata.resourceVersion, name);
  return { version: list.metadata.resourceVersion, objects: listed };
}

/**
 * Runs that many rounds of load and kill -9 and throws what is wrong. Returns { acknowledged, unanswered }: the writes
 * that the server had acknowledged, and those without an answer.
 */
export async function torture({ program = binary, directory, rounds, seed, onRound = () => {} }) {
  const random = randomFrom(seed);
  const clients = Array.from({ length: kConnections }, (_, n) => new Client(n, randomFrom(seed + n + 1)));
  let known; // the state and its version before the last kill
  let unanswered = 0;
  for (let round = 0; round <= rounds; ++round) {
    const server = await serve(program, '--data-dir', directory, '--controllers', 'none', '--scheduler=false', '--watch-history', '10m');
    let loads = [];
    try {
      const list = await (await fetch(`${server.url}${configMaps}`)).json();
      const found = new Map(list.items.map((item) => [item.metadata.name, item]));
      for (const client of clients) client.check(found);
      // The history has no gap: what was known before the kill becomes, event by event, what is there.
      if (known) known = await follow(server.url, known.version, known.objects);
      else known = { version: list.metadata.resourceVersion, objects: found };
      loads = round < rounds ? clients.map((client) => client.load(server.url)) : [];
      if (round < rounds) await new Promise((resolve) => setTimeout(resolve, 5 + random() * 300));
    } finally {
      await server.stop('SIGKILL');
    }
    await Promise.all(loads);
    unanswered += clients.filter((client) => client.maybe).length;
    onRound(round);
  }
  const checked = await run(program, ['check-data', directory]);
  assert.equal(checked.code, 0, checked.stderr);
  return { acknowledged: clients.reduce((sum, client) => sum + client.acknowledged, 0), unanswered };
}
