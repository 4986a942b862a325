// Tests kubectl's logs and exec in simulated containers.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { kubectlOf } from './kubectl_client.mjs';
import { startServer } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-'));
let server;
let kubectl;
let outcome;
let start;
let fileOf;

const behaviour = [
  { match: { name: 'crashing' }, exit: { after: '3s', code: 3 } },
  { match: { image: 'broken' }, pull: { time: '1s', error: true } },
];
const containers = [
  {
    match: { name: 'app', container: 'main' },
    log: ['hello', { text: 'tick', after: '10s', every: '10s' }],
    commands: [{ command: ['psql', '*'], out: 'three rows\n', err: 'slow\n', code: 4 }],
  },
  { match: { name: 'crashing' }, log: ['before the crash'] },
];
const pod = (name, containers) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } }, spec: { nodeName: 'node-1', containers } });
const pods = [
  pod('app', [{ name: 'main', image: 'a', env: [{ name: 'COLOR', value: 'blue' }, { name: 'ME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }, { name: 'side', image: 'b' }]),
  pod('crashing', [{ name: 'main', image: 'a' }]),
  pod('waiting', [{ name: 'main', image: 'broken' }]),
  { ...pod('homeless', [{ name: 'main', image: 'a' }]), spec: { containers: [{ name: 'main', image: 'a' }] } },
];
const advance = (time) => fetch(`${server.url}/-/tabernetes/clock`, { method: 'POST', body: JSON.stringify({ advance: time }) });

before(async () => {
  writeFileSync(join(folder, 'behaviour.json'), JSON.stringify(behaviour));
  writeFileSync(join(folder, 'containers.json'), JSON.stringify(containers));
  writeFileSync(join(folder, 'pods.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: pods }));
  const flags = ['--controllers', 'kubelet,namespace,serviceaccount', '--behaviour', join(folder, 'behaviour.json'), '--containers', join(folder, 'containers.json'), '--load', join(folder, 'pods.json')];
  server = await startServer('--seed', '1', '--clock', '2026-01-01T00:00:00Z', ...flags);
  ({ kubectl, outcome, start, fileOf } = kubectlOf(server));
  await advance('32s'); // containers started within two seconds
});
after(async () => {
  assert.equal(await server.stop(), 0);
  rmSync(folder, { recursive: true });
});

test('logs of a container, whole and in part', async () => {
  const ticks = (count) => Array(count).fill('tick').join('\n');
  assert.equal(await kubectl('logs', 'app', '-c', 'main'), `hello\n${ticks(3)}`);
  assert.equal(await kubectl('logs', 'app', '-c', 'side'), 'side runs b');
  assert.equal(await kubectl('logs', 'app', '-c', 'main', '--tail', '1'), 'tick');
  assert.equal(await kubectl('logs', 'app', '-c', 'main', '--since', '15s'), ticks(2));
  assert.equal(await kubectl('logs', 'app', '-c', 'main', '--limit-bytes', '3'), 'hel');
  assert.match(await kubectl('logs', 'app', '-c', 'main', '--timestamps', '--tail', '2'), /^2026-01-01T00:00:2\d(\.\d+)?Z tick\n2026-01-01T00:00:3\d(\.\d+)?Z tick$/);
  assert.equal(await kubectl('logs', '-l', 'app=app', '--prefix', '-c', 'side'), '[pod/app/side] side runs b');
});

test('logs of the run before', async () => {
  assert.equal(await kubectl('logs', 'crashing', '--previous'), 'before the crash');
  assert.deepEqual(await outcome(['logs', 'app', '-c', 'main', '--previous']), {
    code: 1,
    stdout: '',
    stderr: 'Error from server (BadRequest): previous terminated container "main" in pod "app" not found',
  });
});

test('logs that are not there, in the words of a kubelet', async () => {
  for (const [args, stderr] of [
    [['waiting'], 'Error from server (BadRequest): container "main" in pod "waiting" is waiting to start: trying and failing to pull image'],
    [['app', '-c', 'nope'], 'error: container nope is not valid for pod app'],
    [['missing'], 'error: error from server (NotFound): pods "missing" not found in namespace "default"'],
  ]) {
    const result = await outcome(['logs', ...args]);
    assert.equal(result.code, 1);
    assert.equal(result.stderr, stderr);
  }
  assert.equal(await kubectl('logs', 'homeless'), '');
});

test('logs are followed until the container ends', async () => {
  const child = start('logs', '-f', 'app', '-c', 'main', '--tail', '1');
  let text = '';
  child.stdout.on('data', (part) => (text += part));
  const seen = async (expected) => {
    for (let n = 0; text !== expected; ++n) {
      assert.ok(n < 200, `saw ${JSON.stringify(text)}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  await seen('tick\n');
  await advance('10s');
  await seen('tick\ntick\n');
  const ended = new Promise((done) => child.once('exit', done));
  await kubectl('delete', 'pod', 'app', '--wait=false');
  await advance('60s');
  assert.equal(await ended, 0);
});

test('exec: output, errors, exit codes', async () => {
  const exec = (...args) => outcome(['exec', 'crashing', ...args]);
  await kubectl('run', 'shell', '--image=b', '--env=COLOR=blue', '--overrides', JSON.stringify({ spec: { nodeName: 'node-1' } }));
  await advance('5s');
  const inShell = (...args) => outcome(['exec', 'shell', ...args]);
  assert.deepEqual(await inShell('--', 'echo', 'hi'), { code: 0, stdout: 'hi', stderr: '' });
  assert.deepEqual(await inShell('--', 'sh', '-c', 'echo $COLOR; hostname; exit 7'), { code: 7, stdout: 'blue\nshell', stderr: 'command terminated with exit code 7' });
  assert.deepEqual(await inShell('--', 'sh', '-c', 'nope; echo $?'), { code: 0, stdout: '127', stderr: 'sh: nope: not found' });
  const missing = await inShell('--', 'nope');
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^error: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in \$PATH$/);
  assert.match((await exec('--', 'true')).stderr, /container not found \("main"\)/);
  assert.equal((await inShell('-c', 'nope', '--', 'true')).stderr, 'Error from server (BadRequest): container nope is not valid for pod shell');
});

test('exec: what is typed', async () => {
  const child = start('exec', '-i', 'shell', '--', 'sh');
  let text = '';
  child.stdout.on('data', (part) => (text += part));
  child.stdin.end('echo one\nfalse || echo two\nexit 5\n');
  assert.equal(await new Promise((done) => child.once('exit', done)), 5);
  assert.equal(text, 'one\ntwo\n');
  const copy = start('exec', '-i', 'shell', '--', 'cat');
  let copied = '';
  copy.stdout.on('data', (part) => (copied += part));
  copy.stdin.end('x'.repeat(100_000));
  assert.equal(await new Promise((done) => copy.once('close', done)), 0);
  assert.equal(copied.length, 100_000);
});

test('exec: files, pipes and what a pod mounts', async () => {
  const inPod = async (...args) => kubectl('exec', 'full', '--', ...args);
  const objects = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { 'app.conf': 'port=80\n', LEVEL: 'debug' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { token: 'abc' } },
    {
      ...pod('full', [
        {
          name: 'main',
          image: 'a',
          workingDir: '/work',
          env: [
            { name: 'FIRST', value: 'one' },
            { name: 'SECOND', value: '$(FIRST)-two' },
            { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } },
            { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
            { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
          ],
          envFrom: [{ prefix: 'S_', configMapRef: { name: 'settings' } }],
          resources: { limits: { cpu: '1500m' } },
          volumeMounts: [
            { name: 'config', mountPath: '/etc/config' },
            { name: 'secret', mountPath: '/etc/secret', readOnly: true },
            { name: 'all', mountPath: '/etc/all' },
            { name: 'scratch', mountPath: '/scratch' },
          ],
        },
        { name: 'side', image: 'b', volumeMounts: [{ name: 'scratch', mountPath: '/shared' }] },
      ]),
    },
  ];
  objects[2].spec.volumes = [
    { name: 'config', configMap: { name: 'settings', items: [{ key: 'app.conf', path: 'conf/app.conf' }] } },
    { name: 'secret', secret: { secretName: 'keys', defaultMode: 0o400 } },
    { name: 'all', projected: { sources: [{ configMap: { name: 'settings' } }, { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } }, { serviceAccountToken: { path: 'token' } }] } },
    { name: 'scratch', emptyDir: {} },
  ];
  await kubectl('apply', '-f', fileOf({ apiVersion: 'v1', kind: 'List', items: objects }));
  await advance('5s');
  const variables = (await inPod('env')).split('\n');
  for (const line of ['FIRST=one', 'SECOND=one-two', 'TOKEN=abc', 'CPU=1500', 'APP=full', 'S_LEVEL=debug', 'HOSTNAME=full', 'KUBERNETES_SERVICE_PORT_HTTPS=443']) {
    assert.ok(variables.includes(line), `${line} is missing in ${variables}`);
  }
  assert.equal(await inPod('cat', '/etc/config/conf/app.conf'), 'port=80');
  assert.equal(await inPod('ls', '/etc/all'), 'LEVEL\napp.conf\nlabels\ntoken');
  assert.equal(await inPod('cat', '/etc/all/labels'), 'app="full"');
  assert.match(await inPod('cat', '/etc/all/token'), /^ey[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.match(await inPod('ls', '-l', '/etc/secret'), /^-r--------    1 root     root             3 \S+ token$/);
  assert.equal(await inPod('pwd'), '/work');
  assert.equal(await inPod('sh', '-c', 'echo b > f; echo a >> f; cat f | sort | head -1; cat < f | wc -l; x=$(cat f); echo $x "$x"; cat nope 2>&1 | grep -c open; ls *'), 'a\n2\nb a b\na\n1\nf');
  assert.equal((await outcome(['exec', 'full', '-c', 'main', '--', 'sh', '-c', 'echo x > /etc/config/y'])).stderr.split('\n')[0], "sh: can't create /etc/config/y: Read-only file system");
  await inPod('sh', '-c', 'echo hello > /scratch/note');
  assert.equal(await kubectl('exec', 'full', '-c', 'side', '--', 'cat', '/shared/note'), 'hello');
});

test('cp, both ways', async () => {
  const here = join(folder, 'tree');
  mkdirSync(join(here, 'sub'), { recursive: true });
  writeFileSync(join(here, 'a.txt'), 'alpha\n');
  writeFileSync(join(here, 'sub', 'big.bin'), Buffer.alloc(300_000, 7));
  const long = `${'n'.repeat(120)}.txt`;
  writeFileSync(join(here, long), 'long name\n');
  await kubectl('cp', here, 'full:/scratch/tree', '-c', 'main');
  assert.equal(await kubectl('exec', 'full', '--', 'cat', '/scratch/tree/a.txt'), 'alpha');
  assert.equal(await kubectl('exec', 'full', '--', 'wc', '-c', '/scratch/tree/sub/big.bin'), '300000 /scratch/tree/sub/big.bin');
  const back = join(folder, 'back');
  await kubectl('cp', 'full:/scratch/tree', back, '-c', 'main');
  assert.equal(readFileSync(join(back, 'a.txt'), 'utf8'), 'alpha\n');
  assert.equal(readFileSync(join(back, long), 'utf8'), 'long name\n');
  assert.deepEqual(readFileSync(join(back, 'sub', 'big.bin')), Buffer.alloc(300_000, 7));
  const missing = await outcome(['cp', 'full:/nope', back, '-c', 'main']);
  assert.match(missing.stdout, /^tar: \/nope: No such file or directory\n/);
});

test('attach: what the container writes', async () => {
  await kubectl('run', 'ticker', '--image=b', '--labels=app=ticker', '--overrides', JSON.stringify({ spec: { nodeName: 'node-1' } }));
  await fetch(`${server.url}/-/tabernetes/containers`, { method: 'PUT', body: JSON.stringify([{ match: { labels: { app: 'ticker' } }, log: [{ text: 'tick', every: '2s' }] }]) });
  await advance('5s');
  const child = start('attach', 'ticker');
  let text = '';
  child.stdout.on('data', (part) => (text += part));
  for (let n = 0; !text.includes('tick\n'); ++n) {
    assert.ok(n < 50, `saw ${JSON.stringify(text)}`);
    await advance('1s');
    await new Promise((done) => setTimeout(done, 100));
  }
  const ended = new Promise((done) => child.once('exit', done));
  child.kill();
  await ended;
});

test('rules are given and asked for', async () => {
  const put = (rules) => fetch(`${server.url}/-/tabernetes/containers`, { method: 'PUT', body: JSON.stringify(rules) });
  const wrong = await put([{ ports: [{ port: 99999 }] }]);
  assert.equal(wrong.status, 400);
  assert.equal((await wrong.json()).message, 'rules[0].ports[0].port: must be a number from 1 to 65535');
  assert.equal((await put([{ match: { name: 'full' }, commands: [{ command: 'psql *', out: 'three rows\n', err: 'slow\n', code: 4 }] }])).status, 200);
  assert.deepEqual(await outcome(['exec', 'full', '-c', 'main', '--', 'psql', '-c', 'select 1']), { code: 4, stdout: 'three rows', stderr: 'slow\ncommand terminated with exit code 4' });
  assert.equal(await kubectl('exec', 'full', '--', 'sh', '-c', 'psql x 2>/dev/null | wc -w'), '2');
  assert.equal((await (await fetch(`${server.url}/-/tabernetes/containers`)).json()).rules.length, 1);
  await fetch(`${server.url}/-/tabernetes/containers`, { method: 'DELETE' });
  assert.equal((await (await fetch(`${server.url}/-/tabernetes/containers`)).json()).rules.length, 2);
});

/** Forwards a port, calls `use` with its URL, and ends. */
async function forwarding(target, port, use, env = {}) {
  const child = start.with(env)('port-forward', target, `:${port}`);
  let text = '';
  let errors = '';
  child.stdout.on('data', (part) => (text += part));
  child.stderr.on('data', (part) => (errors += part));
  for (let n = 0; !/127\.0\.0\.1:(\d+)/.test(text); ++n) {
    assert.ok(n < 200, `saw ${text}${errors}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  await use(`http://127.0.0.1:${text.match(/127\.0\.0\.1:(\d+)/)[1]}`);
  const ended = new Promise((done) => child.once('exit', done));
  child.kill();
  await ended;
  return errors;
}

test('port-forward: ports answer HTTP with who they are', async () => {
  const web = pod('web', [{ name: 'main', image: 'nginx', ports: [{ containerPort: 8080 }] }]);
  await kubectl('apply', '-f', fileOf({ apiVersion: 'v1', kind: 'List', items: [web, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'front' }, spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] } }] }));
  await advance('5s');
  const ip = await kubectl('get', 'pod', 'web', '-o', 'jsonpath={.status.podIP}');
  const who = (path, method = 'GET') => ({ pod: 'web', namespace: 'default', node: 'node-1', ip, container: 'main', image: 'nginx', port: 8080, method, path });
  for (const env of [{}, { KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }]) {
    await forwarding('pod/web', 8080, async (url) => {
      assert.deepEqual(await (await fetch(`${url}/a?b=c`)).json(), who('/a?b=c'));
      assert.deepEqual(await (await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).json(), who('/', 'POST'));
      const many = await Promise.all(Array.from({ length: 20 }, (_, i) => fetch(`${url}/${i}`).then((answer) => answer.json())));
      assert.deepEqual(many.map(({ path }) => path), Array.from({ length: 20 }, (_, i) => `/${i}`));
    }, env);
  }
  await fetch(`${server.url}/-/tabernetes/containers`, { method: 'PUT', body: JSON.stringify([{ match: { name: 'web' }, ports: [{ port: 8080, path: '/healthz', status: 503, body: 'not yet\n', headers: { 'X-Why': 'test' } }] }]) });
  await forwarding('pod/web', 8080, async (url) => {
    const answer = await fetch(`${url}/healthz`);
    assert.deepEqual([answer.status, answer.headers.get('x-why'), await answer.text()], [503, 'test', 'not yet\n']);
    assert.equal((await fetch(`${url}/`)).status, 200);
  });
  const errors = await forwarding('pod/web', 81, (url) => assert.rejects(fetch(url)));
  assert.match(errors, /error forwarding port 81 to pod .*connect: connection refused/);
});

test('proxies of pods and services', async () => {
  const raw = (path) => outcome(['get', '--raw', `/api/v1/namespaces/default/${path}`]);
  assert.equal(JSON.parse((await raw('pods/web/proxy/a?b=1')).stdout).path, '/a?b=1');
  assert.equal(JSON.parse((await raw('pods/http:web:8080/proxy/')).stdout).port, 8080);
  assert.match((await raw('pods/web:81/proxy/')).stderr, /^Error from server \(ServiceUnavailable\): error trying to reach service: dial tcp [\d.]+:81: connect: connection refused$/);
  const moved = await fetch(`${server.url}/api/v1/namespaces/default/pods/web/proxy?a=1`, { redirect: 'manual' });
  assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/api/v1/namespaces/default/pods/web/proxy/?a=1']);
});

test('exec, attach and cp over SPDY', async () => {
  const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' };
  assert.deepEqual(await outcome(['exec', 'shell', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3'], env), { code: 3, stdout: 'out', stderr: 'err\ncommand terminated with exit code 3' });
  const copy = start.with(env)('exec', '-i', 'shell', '--', 'sh', '-c', 'cat | wc -c');
  let text = '';
  copy.stdout.on('data', (part) => (text += part));
  copy.stdin.end('x'.repeat(200_000));
  assert.equal(await new Promise((done) => copy.once('close', done)), 0);
  assert.equal(text, '200000\n');
  const from = join(folder, 'spdy.txt');
  writeFileSync(from, 'over spdy\n');
  assert.equal((await outcome(['cp', from, 'shell:/tmp/spdy.txt'], env)).code, 0);
  assert.equal((await outcome(['exec', 'shell', '--', 'cat', '/tmp/spdy.txt'], env)).stdout, 'over spdy');
  assert.match((await outcome(['exec', 'crashing', '--', 'true'], env)).stderr, /container not found \("main"\)/);
});
