// What holds for every backend that is written in JavaScript, with a model and injected faults. It runs in Node.js, in a
// page and in workerd; so it asserts with what those have.
//
// `storage` is a place that is empty at first: open() returns a backend on what is there, and close() lets go of it.

const kMaps = '/api/v1/namespaces/default/configmaps';
const kOptions = { controllers: 'none', scheduler: false, now: '2026-01-01T00:00:00Z', seed: 7 };

const text = (value) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each instanceof Uint8Array ? [...each] : each));
function same(actual, expected, what = '') {
  if (text(actual) !== text(expected)) throw new Error(`${what}: ${text(actual)}\nis not ${text(expected)}`);
}
function must(condition, what) {
  if (!condition) throw new Error(what);
}

/** Keeps every version in memory: the model, and the simplest backend. */
export class MemoryBackend {
  #versions = new Map();
  #state;

  takeStored() {
    if (!this.#state) return undefined;
    const { oldest } = this.#state;
    const versions = [...this.#versions.values()].sort((a, b) => (a.revision < b.revision ? -1 : 1));
    const replacedAt = new Map();
    for (const each of versions.toReversed()) {
      each.until = each.value ? (replacedAt.get(each.key) ?? undefined) : each.revision;
      replacedAt.set(each.key, each.revision);
    }
    const changes = versions.filter(({ until }) => until === undefined || until > oldest).map(({ until, ...change }) => change);
    return { ...this.#state, changes };
  }

  propose({ whole, changes, ...state }, done) {
    if (whole) this.#versions.clear();
    for (const { replaces, ...change } of changes) this.#versions.set(change.revision, change);
    this.#state = state;
    done({ kind: 'durable' });
  }
}

/** A backend before another one that is slow, fails, conflicts or answers twice, when told. */
export class Faulty {
  /** The batch under way, if it is held. */
  held;
  holds = false;
  fault = '';
  throws = false;
  twice = false;
  /** Makes the next batch a conflict with what this returns. */
  others;
  batches = [];

  constructor(inner) {
    this.inner = inner;
  }

  takeStored() {
    return this.inner.takeStored();
  }

  propose(batch, done) {
    must(!this.busy, 'a second batch is proposed');
    this.busy = true;
    this.batches.push(batch);
    if (this.throws) {
      this.busy = false;
      throw new Error('thrown');
    }
    this.held = () => this.#answer(batch, done);
    if (!this.holds) this.answer();
  }

  answer() {
    const answer = this.held;
    this.held = undefined;
    answer?.();
  }

  #answer(batch, done) {
    const end = (outcome) => {
      this.busy = false;
      done(outcome);
      if (this.twice) done({ kind: 'failed', fault: 'twice' });
    };
    if (this.others) {
      const others = this.others(batch);
      this.others = undefined;
      const { revision } = others.at(-1);
      this.inner.propose({ ...batch, whole: false, changes: others, revision }, (outcome) => end(outcome.kind === 'durable' ? { kind: 'conflict', others } : outcome));
    } else if (this.fault) end({ kind: 'failed', fault: this.fault });
    else this.inner.propose(batch, end);
  }
}

const read = async (cluster, path) => (await cluster.fetch(path)).json();
const statusOf = async (cluster, path) => (await cluster.fetch(path)).status;
const send = (cluster, method, path, object) => cluster.fetch(path, { method, body: object && JSON.stringify(object) });
const configMap = (name, value = '1') => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { value } });
const create = (cluster, name, value) => send(cluster, 'POST', kMaps, configMap(name, value));
const failure = (why) => ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `the change was not stored: ${why}`, code: 500 });
const later = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));
async function until(condition, what) {
  for (let i = 0; !(await condition()); i++) {
    must(i < 2000, `waited too long for ${what}`);
    await later(2);
  }
}

/** Reads a watch until `count` events have come, and ends it. */
async function events(cluster, path, count) {
  const { body } = await cluster.fetch(path);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = [];
  for (let rest = ''; lines.length < count; ) {
    const { done, value } = await reader.read();
    must(!done, `the watch ended after ${lines}`);
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = parts.pop();
    lines.push(...parts.map((line) => JSON.parse(line)).map(({ type, object }) => `${type} ${object.metadata.name} ${object.data?.value ?? ''}`.trim()));
  }
  await reader.cancel();
  return lines;
}

/** A small generator of random numbers, the same everywhere. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const store = (backend, batch) => new Promise((resolve) => backend.propose(structuredClone(batch), resolve));
const changesOf = (stored) => stored && { ...stored, changes: [...stored.changes] };

export const kBackendTests = {
  async 'nothing is stored at first'({ storage }) {
    same(await (await storage.open()).takeStored(), undefined);
  },

  async 'random batches are there after each reopening, as in a model'({ storage }) {
    for (let seed = 1; seed <= 3; seed++) {
      const roll = dice(seed);
      await storage.clear();
      const model = new MemoryBackend();
      const live = new Map();
      let backend = await storage.open();
      let revision = 2n ** 60n * BigInt(seed - 1);
      let oldest = revision;
      for (let step = 0; step < 60; step++) {
        const whole = roll(20) === 0;
        const changes = [];
        if (whole) live.clear();
        for (let i = roll(8); i > 0; i--) {
          revision += BigInt(1 + roll(3));
          const key = `core/configmaps/default/é${roll(9)}`;
          const old = live.get(key);
          if (whole && old) continue;
          const change = { key, revision, replaces: old ?? 0n, time: 1_767_225_600_000_000_000n + revision % 1000n };
          if (old !== undefined && !whole && roll(3) === 0) live.delete(key);
          else {
            change.value = new Uint8Array(Array.from({ length: roll(4) === 0 ? 0 : roll(300) }, () => roll(256)));
            live.set(key, revision);
          }
          changes.push(change);
        }
        if (whole) oldest = revision;
        else if (roll(3) === 0) oldest += (revision - oldest) / 2n;
        const batch = { whole, changes, revision, oldest, clock: 1_767_225_600_000_000_001n + revision % 7n, ...(seed === 3 ? { random: 2n ** 64n - 1n - BigInt(step) } : {}) };
        same(await store(backend, batch), { kind: 'durable' });
        await store(model, batch);
        if (roll(6) === 0 || step === 59) {
          await storage.close(backend);
          backend = await storage.open();
          const { random, ...found } = changesOf(await backend.takeStored());
          const { random: expectedRandom, ...expected } = changesOf(model.takeStored());
          const order = ({ revision, oldest, clock, changes }) => ({ revision, oldest, clock, changes: changes.map(({ key, revision, time, value }) => ({ key, revision, time, value })) });
          same(order(found), order(expected), `seed ${seed}, step ${step}`);
          same(random, expectedRandom);
        }
      }
      await storage.close(backend);
    }
  },

  async 'a value of a megabyte and a thousand changes in one batch'({ storage }) {
    let backend = await storage.open();
    const large = new Uint8Array(1_400_000).fill(65);
    const changes = Array.from({ length: 1000 }, (_, i) => ({ key: `k/${i}`, revision: BigInt(i + 1), replaces: 0n, time: 5n, value: i === 500 ? large : new Uint8Array([i % 256]) }));
    same(await store(backend, { whole: false, changes, revision: 1000n, oldest: 1n, clock: 9n }), { kind: 'durable' });
    await storage.close(backend);
    backend = await storage.open();
    const stored = changesOf(await backend.takeStored());
    same([stored.changes.length, stored.changes[500].value.length, stored.changes[999].key], [1000, 1_400_000, 'k/999']);
    same([stored.revision, stored.oldest, stored.clock], [1000n, 1n, 9n]);
  },

  async 'a cluster goes on where the last one ended'({ storage, createCluster }) {
    const first = await createCluster({ ...kOptions, backend: await storage.open(), load: configMap('loaded') });
    for (const name of ['a', 'b', 'c', 'd']) same((await create(first, name)).status, 201);
    const page = await read(first, `${kMaps}?limit=2`);
    const then = page.metadata.resourceVersion;
    same((await send(first, 'PUT', `${kMaps}/a`, configMap('a', '2'))).status, 200);
    same((await send(first, 'DELETE', `${kMaps}/c`)).status, 200);
    const before = await read(first, '/api/v1/configmaps');
    first.dispose();
    await storage.close();

    const backend = new Faulty(await storage.open());
    const second = await createCluster({ ...kOptions, backend, load: configMap('loaded', 'again') });
    same(backend.batches.length, 0, 'a start that writes');
    same(await read(second, '/api/v1/configmaps'), before);
    const rest = await read(second, `${kMaps}?limit=9&continue=${page.metadata.continue}`);
    same([...page.items, ...rest.items].map(({ metadata, data }) => [metadata.name, data.value]), [['a', '1'], ['b', '1'], ['c', '1'], ['d', '1'], ['loaded', '1']]);
    same(await events(second, `${kMaps}?watch=1&resourceVersion=${then}`, 2), ['MODIFIED a 2', 'DELETED c 1']);
    const { metadata } = await (await create(second, 'e')).json();
    must(BigInt(metadata.resourceVersion) > BigInt(before.metadata.resourceVersion), 'versions go on');
    second.dispose();
  },

  async 'nothing is seen before it is durable'({ storage, createCluster }) {
    const backend = new Faulty(await storage.open());
    const cluster = await createCluster({ ...kOptions, backend });
    const watched = events(cluster, `${kMaps}?watch=1`, 2);
    backend.holds = true;
    const answered = [];
    const ask = (name) => create(cluster, name).then(({ status }) => void answered.push(`${name} ${status}`));
    const asked = [ask('first'), ask('second'), ask('first')];
    await later(20);
    same(answered, []);
    same(await statusOf(cluster, `${kMaps}/first`), 404);
    same(backend.batches.at(-1).changes.length, 1);
    backend.answer();
    await until(() => answered.length === 1, 'the first answer');
    same(await statusOf(cluster, `${kMaps}/first`), 200);
    same(await statusOf(cluster, `${kMaps}/second`), 404);
    backend.holds = false;
    await until(() => backend.held, 'the next batch');
    backend.answer();
    await Promise.all(asked);
    same(answered.sort(), ['first 201', 'first 409', 'second 201']);
    same(await watched, ['ADDED first 1', 'ADDED second 1']);
    cluster.dispose();
  },

  async 'what fails is undone, and was never seen; what throws fails'({ storage, createCluster }) {
    const backend = new Faulty(await storage.open());
    const cluster = await createCluster({ ...kOptions, backend });
    same((await create(cluster, 'old')).status, 201);
    const { resourceVersion } = (await read(cluster, kMaps)).metadata;
    backend.fault = 'no room';
    for (const answer of await Promise.all([create(cluster, 'new'), send(cluster, 'DELETE', `${kMaps}/old`)])) {
      same([answer.status, await answer.json()], [500, failure('no room')]);
    }
    same([await statusOf(cluster, `${kMaps}/new`), await statusOf(cluster, `${kMaps}/old`)], [404, 200]);
    same((await read(cluster, kMaps)).metadata.resourceVersion, resourceVersion);
    const ready = await cluster.fetch('/readyz');
    same([ready.status, (await ready.text()).split('\n').at(-2 - 1)], [500, '[-]storage failed: no room']);
    backend.fault = '';
    backend.throws = true;
    same(await (await create(cluster, 'new')).json(), failure('thrown'));
    backend.throws = false;
    backend.fault = 'again';
    cluster.reset();
    same(await cluster.stored().then(() => 'stored', ({ message }) => message), 'again');
    backend.fault = '';
    cluster.advance(2000); // it asks again after a second
    await until(async () => (await statusOf(cluster, '/readyz')) === 200, 'readiness');
    same((await create(cluster, 'newer')).status, 201);
    cluster.dispose();
    await storage.close();
    const again = await createCluster({ ...kOptions, backend: await storage.open() });
    same((await read(again, kMaps)).items.map(({ metadata }) => metadata.name), ['newer', 'old']);
    again.dispose();
  },

  async 'stored() tells what became of a reset and a load'({ storage, createCluster }) {
    const backend = new Faulty(await storage.open());
    const cluster = await createCluster({ ...kOptions, backend });
    await cluster.stored();
    backend.holds = true;
    cluster.reset();
    let told;
    const waits = cluster.stored().then(() => (told = 'stored'), ({ message }) => (told = message));
    await later(10);
    same(told, undefined);
    backend.answer();
    await waits;
    same(told, 'stored');
    backend.fault = 'no room';
    const loaded = cluster.load(configMap('loaded')).then(() => 'loaded', ({ message }) => message);
    await later(10);
    backend.answer();
    same(await loaded, 'no room');
    cluster.dispose();
  },

  async 'after a conflict, others have come first'({ storage, createCluster }) {
    const backend = new Faulty(await storage.open());
    const cluster = await createCluster({ ...kOptions, backend });
    same((await create(cluster, 'mine')).status, 201);
    const mine = backend.batches.at(-1).changes[0];
    const watched = events(cluster, `${kMaps}?watch=1&resourceVersion=${mine.revision}`, 3);
    const theirs = { ...mine, key: mine.key.replace(/mine$/, 'theirs'), replaces: 0n };
    backend.others = ({ revision }) => [
      { ...theirs, revision: revision + 10n },
      { key: mine.key, replaces: mine.revision, time: mine.time, revision: revision + 11n },
    ];
    backend.holds = true;
    const asked = [create(cluster, 'theirs'), send(cluster, 'PUT', `${kMaps}/mine`, configMap('mine', '2')), create(cluster, 'independent')];
    await later(10);
    backend.holds = false;
    backend.answer();
    same((await Promise.all(asked)).map(({ status }) => status), [409, 404, 201]);
    const [added, deleted, independent] = await watched;
    must(added.startsWith('ADDED') && deleted === 'DELETED mine 1' && independent === 'ADDED independent 1', text(await watched));
    cluster.dispose();
    await storage.close();
    const again = await createCluster({ ...kOptions, backend: await storage.open() });
    same([await statusOf(again, `${kMaps}/theirs`), await statusOf(again, `${kMaps}/mine`)], [200, 404]);
    again.dispose();
  },

  async 'a second outcome is ignored'({ storage, createCluster }) {
    const backend = new Faulty(await storage.open());
    const cluster = await createCluster({ ...kOptions, backend });
    backend.twice = true;
    same((await Promise.all([create(cluster, 'a'), create(cluster, 'b')])).map(({ status }) => status), [201, 201]);
    same(await statusOf(cluster, '/readyz'), 200);
    cluster.dispose();
  },

  async 'reset and restore replace all that is stored; a fork is in memory alone'({ storage, createCluster }) {
    const backend = new Faulty(await storage.open());
    const cluster = await createCluster({ ...kOptions, backend });
    same((await create(cluster, 'a')).status, 201);
    const snapshot = cluster.snapshot();
    const before = backend.batches.length;
    const fork = cluster.fork();
    same((await create(fork, 'of-the-fork')).status, 201);
    same(backend.batches.length, before);
    fork.dispose();
    cluster.reset();
    await cluster.stored();
    must(backend.batches.at(-1).whole, 'a reset replaces all');
    same(await statusOf(cluster, `${kMaps}/a`), 404);
    cluster.restore(snapshot);
    await cluster.stored();
    const list = await read(cluster, kMaps);
    same(list.items.map(({ metadata }) => metadata.name), ['a']);
    cluster.dispose();
    await storage.close();
    const again = await createCluster({ ...kOptions, backend: await storage.open() });
    same(await read(again, kMaps), list);
    again.dispose();
  },

  async 'a random history under faults: what was acknowledged is there, and nothing else'({ storage, createCluster }) {
    const roll = dice(11);
    let backend = new Faulty(await storage.open());
    let cluster = await createCluster({ ...kOptions, backend });
    const model = new Map();
    for (let step = 0; step < 120; step++) {
      backend.fault = roll(6) === 0 ? 'at random' : '';
      backend.throws = roll(20) === 0;
      backend.twice = roll(4) === 0;
      if (roll(10) === 0) backend.others = ({ revision }) => [{ key: `core/configmaps/default/x${roll(3)}`, revision: revision + 3n, replaces: 0n, time: 1n }];
      backend.holds = roll(2) === 0;
      // Requests for different objects, of which each is acknowledged or not.
      const asked = Array.from({ length: 1 + roll(4) }, async (_, i) => {
        const name = `m${(step + 5 * i) % 20}`;
        const value = String(step);
        const how = model.has(name) ? (roll(3) === 0 ? 'DELETE' : 'PUT') : 'POST';
        const answer = await send(cluster, how, how === 'POST' ? kMaps : `${kMaps}/${name}`, how === 'DELETE' ? undefined : configMap(name, value));
        if (answer.status === 500) return;
        must(answer.ok, `${how} ${name}: ${answer.status} ${await answer.text()}`);
        if (how === 'DELETE') model.delete(name);
        else model.set(name, value);
      });
      const answering = setInterval(() => backend.answer(), 1);
      await Promise.all(asked);
      clearInterval(answering);
      backend.answer();
      backend.holds = false;
      const found = (await read(cluster, kMaps)).items.map(({ metadata, data }) => [metadata.name, data.value]);
      same(found, [...model].sort(([a], [b]) => (a < b ? -1 : 1)), `step ${step}`);
      if (roll(12) === 0) {
        cluster.dispose();
        await storage.close();
        backend = new Faulty(await storage.open());
        cluster = await createCluster({ ...kOptions, backend });
      }
    }
    cluster.dispose();
  },
};

/** Runs all of them, for realms without a test runner. Returns what failed. */
export async function runBackendTests(fresh, createCluster) {
  const faults = [];
  for (const [name, body] of Object.entries(kBackendTests)) {
    const storage = await fresh();
    try {
      await body({ storage, createCluster });
    } catch (error) {
      faults.push(`${name}: ${error.stack ?? error}`);
    } finally {
      await storage.close();
    }
  }
  return faults;
}
