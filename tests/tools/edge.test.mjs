// Tests tabernetes/edge in each edge runtime, installed beside it in an empty project: the same little suite everywhere. The
// runtimes' packages bring their programs, so nothing is downloaded but them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { WebSocket } from 'ws';
import { kPods, littleSuite, pod, socketSuite } from '../entries/little_suite.mjs';
import { node, toolsOf } from './chosen.mjs';
import { kEdgeTests } from './versions.mjs';

let project;
const { tried, binOf } = toolsOf(kEdgeTests, (made) => (project = made));

/** Returns a port that is free now. */
const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** Runs a program of the project that listens at `port` until `work` with its URL is done. */
async function listening(port, command, work, { folder = project.folder, env = {} } = {}) {
  const [program, ...args] = command;
  const runtime = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let said = '';
  for (const stream of [runtime.stdout, runtime.stderr]) stream.on('data', (chunk) => (said += chunk));
  runtime.on('error', (error) => (said += error));
  const url = `http://127.0.0.1:${port}`;
  try {
    for (let i = 0; !(await fetch(url).then(() => true, () => false)); i++) {
      if (i === 600 || runtime.exitCode !== null || runtime.pid === undefined) assert.fail(`${program} does not answer: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await work(url);
  } catch (error) {
    throw new Error(`${error.message}${error.cause ? `: ${error.cause.message}` : ''}\n${said}`, { cause: error });
  } finally {
    if (runtime.pid !== undefined) process.kill(-runtime.pid, 'SIGKILL');
  }
}

class FromPage extends WebSocket {
  constructor(url, protocols) {
    super(url, protocols, { origin: 'http://localhost' });
  }
}

/** Runs the little suites with the cluster at a URL. */
async function suitesAt(url) {
  await littleSuite(fetch, url);
  const apply = ({ metadata }) => fetch(`${url}/api/v1/namespaces/default/configmaps`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ metadata }) });
  await socketSuite(FromPage, url.replace('http', 'ws'), { apply });
}

/** Runs the suites with clusters that the first segment of the path names: each is empty when the other is filled. */
async function clustersAt(url) {
  await suitesAt(`${url}/first`);
  await suitesAt(`${url}/second.cluster`);
  for (const wrong of ['/', '//version', '/a%20b/version']) {
    const answer = await fetch(url + wrong);
    assert.deepEqual(await answer.json(), { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'tabernetes: the request names no cluster', reason: 'NotFound', code: 404 });
    assert.equal(answer.status, 404);
  }
}

/** Returns a program that a package for this platform brings; the package of the tool names it. */
function programIn(scope, name) {
  const folder = join(project.folder, 'node_modules', scope);
  const program = readdirSync(folder).map((platform) => join(folder, platform, name)).find(existsSync);
  chmodSync(program, 0o755);
  return program;
}

const kWorkers = {
  'one cluster': [`serve({ controllers: 'none', scheduler: false })`, suitesAt],
  'a cluster for each name': [`serve({ controllers: 'none', scheduler: false, clusters: 'path' })`, clustersAt],
};

for (const [title, [handler, suites]] of Object.entries(kWorkers)) {
  tried(`deno: ${title}`, async () => {
    const port = await freePort();
    project.write('deno/worker.mjs', `import { serve } from 'tabernetes/edge';\nexport default ${handler};\n`);
    const command = [programIn('@deno', 'deno'), 'serve', '--allow-read', '--allow-env', '--node-modules-dir=manual', '--host', '127.0.0.1', '--port', String(port), 'deno/worker.mjs'];
    await listening(port, command, suites, { env: { DENO_DIR: join(project.folder, 'deno/cache'), DENO_NO_UPDATE_CHECK: '1' } });
  });

  tried(`bun: ${title}`, async () => {
    const port = await freePort();
    project.write('bun/worker.mjs', `import { serve } from 'tabernetes/edge';\nexport default ${handler};\n`);
    await listening(port, [programIn('@oven', 'bin/bun'), 'bun/worker.mjs'], suites, { env: { BUN_PORT: String(port), DO_NOT_TRACK: '1' } });
  });
}

tried('workerd: a Durable Object holds the cluster, as in docs/guides/edge.md', async () => {
  const port = await freePort();
  const guide = readFileSync(new URL('../../docs/guides/edge.md', import.meta.url), 'utf8');
  project.write('worker.js', guide.match(/^```js worker\.js\n([^]*?)^```$/m)[1]);
  await build({ entryPoints: [join(project.folder, 'worker.js')], bundle: true, format: 'esm', outfile: join(project.folder, 'worker.out.js'), logLevel: 'silent', external: ['tabernetes/tabernetes.wasm', 'tabernetes-embedded', 'node:*'] });
  project.write('workerd.capnp', `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (services = [(name = "main", worker = .main)], sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
    const main :Workerd.Worker = (compatibilityDate = "2025-09-01",
      durableObjectNamespaces = [(className = "ClusterObject", uniqueKey = "cluster")], durableObjectStorage = (inMemory = void),
      bindings = [(name = "CLUSTER", durableObjectNamespace = "ClusterObject")], modules = [
      (name = "worker", esModule = embed "worker.out.js"),
      (name = "tabernetes/tabernetes.wasm", wasm = embed "node_modules/tabernetes/dist/tabernetes.wasm")]);`);
  await listening(port, [node, binOf('workerd'), 'serve', 'workerd.capnp'], suitesAt);
});

/**
 * Returns what `work` resolves with for each name, few of them at once. workerd drops connections that it has not read for
 * 15 s, and kept ones after 5 s, so on a busy machine each request should have its own.
 */
async function someAtOnce(names, work) {
  const results = [];
  for (let i = 0; i < names.length; i += 25) results.push(...(await Promise.all(names.slice(i, i + 25).map(work))));
  return results;
}

tried('workerd: examples/edge as it is, and hundreds of clusters in it', async () => {
  const folder = join(project.folder, 'example-edge');
  cpSync(fileURLToPath(new URL('../../examples/edge', import.meta.url)), folder, { recursive: true });
  cpSync(join(project.folder, 'node_modules/tabernetes'), join(folder, 'node_modules/tabernetes'), { recursive: true });
  // As its script "workerd" bundles it.
  const flags = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts.workerd.split(' && ')[0].match(/--external:\S+/g);
  const external = flags.map((flag) => flag.slice('--external:'.length));
  await build({ entryPoints: [join(folder, 'worker.js')], bundle: true, format: 'esm', outfile: join(folder, 'build/worker.js'), logLevel: 'silent', external });
  rmSync(join(folder, 'build/storage'), { recursive: true, force: true });
  mkdirSync(join(folder, 'build/storage'), { recursive: true });
  const port = await freePort();
  const serve = [node, join(project.folder, binOf('workerd')), 'serve', 'workerd.capnp', `--socket-addr=http=127.0.0.1:${port}`];
  await listening(port, serve, async (url) => {
    await clustersAt(url);
    const names = Array.from({ length: 300 }, (_, i) => `cluster-${i}`);
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const created = await someAtOnce(names, (name) => fetch(`${url}/${name}${kPods}`, { method: 'POST', headers, body: JSON.stringify(pod(`of-${name}`)) }));
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]));
    const lists = await someAtOnce(names, async (name) => (await fetch(`${url}/${name}${kPods}`, { headers })).json());
    assert.deepEqual(lists.map(({ items }) => items.map(({ metadata }) => metadata.name)), names.map((name) => [`of-${name}`]));
  }, { folder });
  // It was killed; a new one has what was answered.
  await listening(port, serve, async (url) => {
    const lists = await Promise.all(['cluster-0', 'cluster-299'].map(async (name) => (await fetch(`${url}/${name}${kPods}`)).json()));
    assert.deepEqual(lists.map(({ items }) => items.map(({ metadata }) => metadata.name)), [['of-cluster-0'], ['of-cluster-299']]);
  }, { folder });
});

/** Writes a worker of the project with a Durable Object that has storage, and its configuration; returns the command. */
async function storedWorker(name, port, source) {
  const folder = join(project.folder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'storage'), { recursive: true });
  project.write(`${name}/worker.js`, source);
  const suite = fileURLToPath(new URL('../backends/backend_suite.mjs', import.meta.url));
  const store = fileURLToPath(new URL('../../wasm/src/stores/durable-object.ts', import.meta.url));
  await build({ entryPoints: [join(folder, 'worker.js')], bundle: true, format: 'esm', outfile: join(folder, 'worker.out.js'), logLevel: 'silent', alias: { suite, store }, external: ['tabernetes/tabernetes.wasm', 'tabernetes-embedded', 'node:*'] });
  project.write(`${name}/workerd.capnp`, `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = .main), (name = "storage", disk = (path = "${folder}/storage", writable = true))],
      sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
    const main :Workerd.Worker = (compatibilityDate = "2025-09-01",
      durableObjectNamespaces = [(className = "ClusterObject", uniqueKey = "cluster", enableSql = true)], durableObjectStorage = (localDisk = "storage"),
      bindings = [(name = "CLUSTER", durableObjectNamespace = "ClusterObject")], modules = [
      (name = "worker", esModule = embed "worker.out.js"),
      (name = "tabernetes/tabernetes.wasm", wasm = embed "../node_modules/tabernetes/dist/tabernetes.wasm")]);`);
  return [node, binOf('workerd'), 'serve', `${name}/workerd.capnp`];
}

tried('workerd: the suite of backends on the storage of a Durable Object', async () => {
  const port = await freePort();
  const command = await storedWorker('suite', port, `
    import { createCluster } from 'tabernetes';
    import wasm from 'tabernetes/tabernetes.wasm';
    import { runBackendTests } from 'suite';
    import { openObjectStore } from 'store';
    export class ClusterObject {
      constructor({ storage }) { this.storage = storage; }
      async fetch() {
        const clear = () => this.storage.deleteAll();
        const fresh = async () => (await clear(), { open: async () => openObjectStore(this.storage), close: async () => {}, clear });
        return Response.json(await runBackendTests(fresh, (options) => createCluster({ wasm, ...options })));
      }
    }
    export default {
      fetch: (request, { CLUSTER }) => (new URL(request.url).pathname === '/suite' ? CLUSTER.get(CLUSTER.idFromName('one')).fetch(request) : new Response('here')),
    };`);
  await listening(port, command, async (url) => assert.deepEqual(await (await fetch(`${url}/suite`)).json(), []));
});

tried('workerd: an object sleeps while its sockets are silent, and goes on with them; alarms wake it', async () => {
  const port = await freePort();
  const command = await storedWorker('asleep', port, `
    import { clusterObject, serveObjects } from 'tabernetes/edge';
    import wasm from 'tabernetes/tabernetes.wasm';
    let made = 0;
    let alarms = 0;
    export class ClusterObject extends clusterObject({ wasm, controllers: 'none' }) {
      constructor(...given) { super(...given); made++; }
      alarm() { alarms++; return super.alarm(); }
    }
    const { fetch } = serveObjects('CLUSTER', 'host');
    export default { fetch: (request, ...others) => (new URL(request.url).pathname === '/made' ? Response.json({ made, alarms }) : fetch(request, ...others)) };`);
  const maps = '/api/v1/namespaces/default/configmaps';
  const headers = { 'content-type': 'application/json' };
  await listening(port, command, async (url) => {
    const counts = async () => (await fetch(`${url}/made`)).json();
    const create = async (name) => (await fetch(url + maps, { method: 'POST', headers, body: JSON.stringify({ metadata: { name } }) })).status;
    assert.equal(await create('first'), 201);
    const messages = [];
    const open = (query) => new Promise((resolve, reject) => {
      const socket = new FromPage(`${url.replace('http', 'ws')}${maps}?watch=1${query}`, []);
      socket.on('open', () => resolve(socket)).on('error', reject);
      socket.on('message', (data) => messages.push(`${query} ${JSON.parse(data).type} ${JSON.parse(data).object.metadata.name}`));
    });
    const ending = await open('&timeoutSeconds=13');
    const ended = new Promise((resolve) => ending.on('close', resolve));
    const lasting = await open('');
    const until = async (condition, what) => {
      for (let i = 0; !(await condition()); i++) {
        if (i > 600) assert.fail(`${what}: ${messages}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await until(() => messages.length === 2, 'the first events');
    assert.deepEqual(await counts(), { made: 1, alarms: 0 });
    // The object is put to sleep after ten seconds without work; the alarm at the end of the watch wakes it up.
    await until(async () => (await counts()).made === 2, 'that the object sleeps and wakes');
    assert.ok((await counts()).alarms > 0);
    assert.equal(await ended, 1000);
    assert.equal(await create('second'), 201);
    await until(() => messages.length === 3, 'an event after the sleep');
    assert.deepEqual(messages.sort(), [' ADDED first', ' ADDED second', '&timeoutSeconds=13 ADDED first']);
    lasting.terminate();
  });
});
