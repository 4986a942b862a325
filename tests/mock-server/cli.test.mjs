// Tests the command line, from the flags to the exit code, around a fake core.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fakeBinary, run, serve } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-cli-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name));

test('version and help', async () => {
  assert.match((await run(fakeBinary, ['version'])).stdout, /^tabernetes \d+\.\d+\.\d+ /);
  const help = await run(fakeBinary, ['serve', '--help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--listen HOST:PORT/);
});

test('one ready line a listener, each of which answers', async () => {
  const server = await serve(fakeBinary, '--listen=127.0.0.1:0', '--listen=127.0.0.1:0');
  assert.equal(server.urls.length, 2);
  for (const url of server.urls) {
    assert.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    assert.equal((await fetch(url)).status, 200);
  }
  assert.equal(await server.stop(), 0);
  assert.equal(server.output.stdout.trim().split('\n').length, 2);
  assert.equal(server.output.stderr, '');
});

test('a wildcard address answers by its number, and is named by one that works', async () => {
  const server = await serve(fakeBinary, '--listen=0.0.0.0:0');
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal((await fetch(server.url)).status, 200);
  await server.stop();
});

test('a port in use: what and where, exit 1, nothing served', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address();
  const { code, stdout, stderr } = await run(fakeBinary, ['serve', '--listen', '127.0.0.1:0', '--listen', `127.0.0.1:${port}`]);
  other.close();
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(stderr, `tabernetes: cannot listen on 127.0.0.1:${port}: Address already in use\n`);
});

test('manifests: what cannot be read or is wrong, and where', async () => {
  const missing = join(folder, 'missing.yaml');
  assert.deepEqual(await run(fakeBinary, ['serve', '--listen', '127.0.0.1:0', '--load', missing]), {
    code: 1,
    stdout: '',
    stderr: `tabernetes: ${missing}: No such file or directory\n`,
  });
  const bad = file('bad.yaml', 'bad');
  assert.deepEqual(await run(fakeBinary, ['serve', '--listen', '127.0.0.1:0', '--load', bad]), {
    code: 1,
    stdout: '',
    stderr: `tabernetes: ${bad}: document 2: the document is bad\n`,
  });
  assert.deepEqual(await run(fakeBinary, ['serve', '--listen', '127.0.0.1:0', '--load', '-'], 'bad'), {
    code: 1,
    stdout: '',
    stderr: 'tabernetes: -: document 2: the document is bad\n',
  });
});

test('manifests: a folder is read at any depth, other files are left alone', async () => {
  const manifests = join(folder, 'manifests');
  mkdirSync(join(manifests, 'deep'), { recursive: true });
  writeFileSync(join(manifests, 'README.md'), 'bad');
  writeFileSync(join(manifests, 'deep', 'a.json'), 'bad');
  writeFileSync(join(manifests, 'b.yml'), 'bad');
  const { stderr } = await run(fakeBinary, ['serve', '--listen', '127.0.0.1:0', '--load', manifests]);
  assert.equal(
    stderr,
    ['b.yml', 'deep/a.json'].map((name) => `tabernetes: ${join(manifests, name)}: document 2: the document is bad\n`).join(''),
  );
});

test('a kubeconfig reaches the server and is private', async () => {
  const kubeconfig = join(folder, 'kubeconfig');
  const server = await serve(fakeBinary, '--kubeconfig', kubeconfig);
  assert.ok(readFileSync(kubeconfig, 'utf8').includes(`    server: ${server.url}\n`));
  assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
  await server.stop();
  const nowhere = join(folder, 'no', 'kubeconfig');
  const { code, stderr } = await run(fakeBinary, ['serve', '--listen', '127.0.0.1:0', '--kubeconfig', nowhere]);
  assert.equal(code, 1);
  assert.equal(stderr, `tabernetes: cannot write the kubeconfig ${nowhere}: the folder ${join(folder, 'no')} does not exist\n`);
});

test('--clock stands still, in the Date header too', async () => {
  const server = await serve(fakeBinary, '--clock', '2026-01-01T00:00:00Z');
  assert.equal((await fetch(server.url)).headers.get('date'), 'Thu, 01 Jan 2026 00:00:00 GMT');
  await server.stop();
});

test('--allowed-hosts adds names', async () => {
  const server = await serve(fakeBinary, '--allowed-hosts', 'kube.test,.internal');
  const status = (host) =>
    new Promise((resolve, reject) => {
      const socket = net.connect(server.port, '127.0.0.1', () => socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
      socket.once('data', (data) => resolve(Number(String(data).split(' ')[1])) || socket.destroy()).once('error', reject);
    });
  assert.equal(await status('kube.test:1'), 200);
  assert.equal(await status('a.internal'), 200);
  assert.equal(await status('other.test'), 403);
  await server.stop();
});

test('--log info writes a line a request', async () => {
  const server = await serve(fakeBinary, '--log', 'info');
  await (await fetch(`${server.url}/a?b`)).text();
  await server.stop();
  assert.match(server.output.stderr, /^GET \/a\?b 200 \d+ bytes \d+\.\d ms\n$/);
});

test('the playground is found beside the binary; --ui=false leaves it out', async () => {
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'share/tabernetes/ui'), { recursive: true });
  const installed = join(folder, 'bin', 'tabernetes');
  copyFileSync(fakeBinary, installed);
  writeFileSync(join(folder, 'share/tabernetes/ui/index.html'), '<title>playground</title>');
  writeFileSync(join(folder, 'share/tabernetes/ui/tabernetes.wasm'), '\0asm');

  const server = await serve(installed);
  const get = (path, accept = '*/*') => fetch(server.url + path, { headers: { accept }, redirect: 'manual' });
  const page = await get('/ui/');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(await page.text(), '<title>playground</title>');
  assert.equal((await get('/ui/tabernetes.wasm')).headers.get('content-type'), 'application/wasm');
  assert.equal((await get('/ui/missing')).status, 404);
  const browser = await get('/', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
  assert.deepEqual([browser.status, browser.headers.get('location')], [302, '/ui/']);
  assert.match(await (await get('/')).text(), /^GET \/\n/);
  await server.stop();

  const without = await serve(installed, '--ui=false');
  assert.match(await (await fetch(`${without.url}/ui/`)).text(), /^GET \/ui\/\n/);
  await without.stop();
});
