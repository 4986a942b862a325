// Tests tabernetes/edge in each edge runtime, installed beside it in an empty project: the same little suite everywhere. The
// runtimes' packages bring their programs, so nothing is downloaded but them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
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
    throw new Error(`${error.message}\n${said}`, { cause: error });
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
  'one cluster': [`serve({ controllers: 'none' })`, suitesAt],
  'a cluster for each name': [`serve({ controllers: 'none', clusters: 'path' })`, clustersAt],
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

tried('workerd: examples/edge as it is, and hundreds of clusters in it', async () => {
  const folder = join(project.folder, 'example-edge');
  cpSync(fileURLToPath(new URL('../../examples/edge', import.meta.url)), folder, { recursive: true });
  cpSync(join(project.folder, 'node_modules/tabernetes'), join(folder, 'node_modules/tabernetes'), { recursive: true });
  // As its script "workerd" bundles it.
  const flags = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts.workerd.split(' && ')[0].match(/--external:\S+/g);
  const external = flags.map((flag) => flag.slice('--external:'.length));
  await build({ entryPoints: [join(folder, 'worker.js')], bundle: true, format: 'esm', outfile: join(folder, 'build/worker.js'), logLevel: 'silent', external });
  const port = await freePort();
  await listening(port, [node, join(project.folder, binOf('workerd')), 'serve', 'workerd.capnp', `--socket-addr=http=127.0.0.1:${port}`], async (url) => {
    await clustersAt(url);
    const names = Array.from({ length: 300 }, (_, i) => `cluster-${i}`);
    const headers = { 'content-type': 'application/json' };
    const created = await Promise.all(names.map((name) => fetch(`${url}/${name}${kPods}`, { method: 'POST', headers, body: JSON.stringify(pod(`of-${name}`)) })));
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]));
    const lists = await Promise.all(names.map(async (name) => (await fetch(`${url}/${name}${kPods}`)).json()));
    assert.deepEqual(lists.map(({ items }) => items.map(({ metadata }) => metadata.name)), names.map((name) => [`of-${name}`]));
  }, { folder });
});
