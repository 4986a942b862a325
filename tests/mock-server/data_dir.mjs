// --data-dir, as the native binary and the npm package's command have it: what outlives the process, who may have the
// directory, and what happens when it cannot be written.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { torture } from './data_torture.mjs';
import { Wire, run, serve, waitFor } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-data-'));
after(() => rmSync(folder, { recursive: true }));
let directories = 0;
const fresh = () => join(folder, `dir-${++directories}`);

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name, data = { a: 'b' }) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const json = { 'content-type': 'application/json' };
const send = (method, url, object) => fetch(url, { method, headers: json, body: JSON.stringify(object) });
const post = (server, object, path = configMaps) => send('POST', server.url + path, object);
const read = async (server, path) => (await fetch(server.url + path)).json();
const status = async (server, path) => (await fetch(server.url + path)).status;
const watchRequest = (query) => `GET ${configMaps}?watch=true&${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Tests of `program`, a path to run. */
export function dataDirOf(program) {
  test('objects, versions, continue tokens and watches go on after a restart, however the first run ended', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      const dir = fresh();
      const first = await serve(program, '--nodes', '0', '--data-dir', dir);
      for (const name of ['a', 'b', 'c', 'd']) assert.equal((await post(first, configMap(name))).status, 201);
      const page = await read(first, `${configMaps}?limit=2`);
      const b = await read(first, `${configMaps}/b`);
      const then = page.metadata.resourceVersion;
      assert.equal((await send('PUT', `${first.url}${configMaps}/a`, configMap('a', { a: 'c' }))).status, 200);
      assert.equal((await fetch(`${first.url}${configMaps}/c`, { method: 'DELETE' })).status, 200);
      const before = await read(first, '/api/v1/configmaps');
      const others = await read(first, '/apis/apiregistration.k8s.io/v1/apiservices');
      assert.equal(await first.stop(signal), signal === 'SIGTERM' ? 0 : signal);

      const second = await serve(program, '--nodes', '0', '--data-dir', dir);
      assert.deepEqual(await read(second, '/api/v1/configmaps'), before);
      assert.deepEqual(await read(second, '/apis/apiregistration.k8s.io/v1/apiservices'), others);
      assert.deepEqual(await read(second, `${configMaps}/b`), b);
      const rest = await read(second, `${configMaps}?limit=9&continue=${page.metadata.continue}`);
      assert.equal(rest.metadata.resourceVersion, then);
      assert.deepEqual([...page.items, ...rest.items].map((item) => [item.metadata.name, item.data?.a]), [['a', 'b'], ['b', 'b'], ['c', 'b'], ['d', 'b'], ['kube-root-ca.crt', undefined]]);
      const wire = new Wire(second.port).send(watchRequest(`resourceVersion=${then}`));
      await wire.until(/"MODIFIED"[^]*"name":"a"[^]*"DELETED"[^]*"name":"c"/);
      const created = await (await post(second, configMap('e'))).json();
      assert.ok(BigInt(created.metadata.resourceVersion) > BigInt(before.metadata.resourceVersion));
      await wire.until(/"ADDED"[^]*"name":"e"/);
      wire.destroy();
      assert.equal(await second.stop(), 0);
    }
  });

  test('a start writes nothing that is there already, and seeded names go on', async () => {
    const dir = fresh();
    const flags = ['--data-dir', dir, '--seed', '7', '--clock', '2026-01-01T00:00:00Z'];
    const first = await serve(program, ...flags);
    const uid = async (server, name) => (await (await post(server, configMap(name))).json()).metadata.uid;
    const one = await uid(first, 'one');
    const version = (await read(first, '/api/v1/configmaps')).metadata.resourceVersion;
    assert.equal(await first.stop(), 0);
    const second = await serve(program, ...flags);
    assert.equal((await read(second, '/api/v1/configmaps')).metadata.resourceVersion, version);
    const two = await uid(second, 'two');
    assert.notEqual(two, one);
    assert.equal(await second.stop(), 0);
    const plain = await serve(program, ...flags.slice(2));
    assert.deepEqual([await uid(plain, 'one'), await uid(plain, 'two')], [one, two]);
    assert.equal(await plain.stop(), 0);
  });

  test('what a user changed in the initial objects stays', async () => {
    const dir = fresh();
    const first = await serve(program, '--nodes', '0', '--data-dir', dir);
    const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: '{"metadata":{"labels":{"mine":"yes"}}}' };
    assert.equal((await fetch(`${first.url}/api/v1/namespaces/default`, patch)).status, 200);
    assert.equal((await fetch(`${first.url}/api/v1/namespaces/default/services/kubernetes`, { method: 'DELETE' })).status, 200);
    assert.equal(await first.stop(), 0);
    const second = await serve(program, '--nodes', '0', '--data-dir', dir);
    assert.equal((await read(second, '/api/v1/namespaces/default')).metadata.labels.mine, 'yes');
    assert.equal(await status(second, '/api/v1/namespaces/default/services/kubernetes'), 200); // as kube-apiserver does
    assert.equal(await second.stop(), 0);
  });

  test('one process has the directory, and a second one is told which', async () => {
    const dir = fresh();
    const first = await serve(program, '--nodes', '0', '--data-dir', dir);
    const expected = { code: 1, stdout: '', stderr: `tabernetes: ${dir}: process ${first.pid} has this data directory\n` };
    assert.deepEqual(await run(program, ['serve', '--listen', '127.0.0.1:0', '--data-dir', dir]), expected);
    assert.equal((await post(first, configMap('still'))).status, 201);
    assert.equal(await first.stop('SIGKILL'), 'SIGKILL');
    const second = await serve(program, '--nodes', '0', '--data-dir', dir);
    assert.equal(await status(second, `${configMaps}/still`), 200);
    assert.equal(await second.stop(), 0);
    for (const file of readdirSync(dir)) assert.equal(statSync(join(dir, file)).mode & 0o077, 0, file);
  });

  test('what is no data of ours is refused in one line and left alone', async () => {
    const refusal = async (dir) => {
      const { code, stdout, stderr } = await run(program, ['serve', '--listen', '127.0.0.1:0', '--data-dir', dir]);
      assert.deepEqual([code, stdout], [1, '']);
      return stderr;
    };
    const noise = fresh();
    mkdirSync(noise);
    const file = join(noise, 'tabernetes.db');
    writeFileSync(file, 'this is a text, and not a short one, that somebody has put in this place'.repeat(20));
    assert.equal(await refusal(noise), `tabernetes: ${file}: file is not a database\n`);
    assert.ok(readFileSync(file, 'utf8').startsWith('this is a text'));

    const plain = join(folder, 'plain');
    writeFileSync(plain, '');
    assert.equal(await refusal(plain), `tabernetes: ${plain}/lock: Not a directory\n`);
    assert.equal(await refusal(join(folder, 'no', 'such')), `tabernetes: ${join(folder, 'no', 'such')}: No such file or directory\n`);

    // A newer schema: user_version is at bytes 60 to 63 of the file.
    const newer = fresh();
    const server = await serve(program, '--nodes', '0', '--data-dir', newer);
    assert.equal(await server.stop(), 0);
    const bytes = readFileSync(join(newer, 'tabernetes.db'));
    bytes.writeUInt32BE(9, 60);
    writeFileSync(join(newer, 'tabernetes.db'), bytes);
    const words = 'it has schema 9, written by a newer tabernetes; this one knows schemas up to 1';
    assert.equal(await refusal(newer), `tabernetes: ${join(newer, 'tabernetes.db')}: ${words}\n`);
    // Another program's database: application_id is at bytes 68 to 71.
    bytes.writeUInt32BE(1, 68);
    writeFileSync(join(newer, 'tabernetes.db'), bytes);
    assert.equal(await refusal(newer), `tabernetes: ${join(newer, 'tabernetes.db')}: this is not a file of tabernetes\n`);
  });

  test('a disk that takes no more: writes get 500 with the reason, reads and watches go on; later all is well again', async () => {
    const dir = fresh();
    const server = await serve(program, '--nodes', '0', '--data-dir', dir);
    assert.equal((await post(server, configMap('before'))).status, 201);
    const watch = new Wire(server.port).send(watchRequest('resourceVersion='));
    await watch.until(/"before"/);
    const limit = (bytes) => assert.equal(spawnSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]).status, 0);
    limit(4096);
    const answer = await post(server, configMap('during', { text: 'x'.repeat(100_000) }));
    assert.equal(answer.status, 500);
    const failure = await answer.json();
    const why = failure.message.replace(/^the change was not stored: /, '');
    assert.match(why, new RegExp(`^${join(dir, 'tabernetes.db')}: (disk I/O error|database or disk is full)$`));
    assert.deepEqual(failure, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `the change was not stored: ${why}`, code: 500 });
    assert.equal((await fetch(`${server.url}${configMaps}/before`, { method: 'DELETE' })).status, 500);
    assert.equal(await status(server, `${configMaps}/during`), 404);
    assert.equal(await status(server, `${configMaps}/before`), 200);
    const ready = await fetch(`${server.url}/readyz`);
    assert.equal(ready.status, 500);
    assert.ok((await ready.text()).endsWith(`[-]storage failed: ${why}\nreadyz check failed\n`));
    assert.equal(await status(server, '/livez'), 200);

    limit('unlimited');
    await waitFor(async () => (await status(server, '/readyz')) === 200, 10_000);
    assert.equal((await post(server, configMap('after'))).status, 201);
    await watch.until(/"name":"after"/);
    assert.ok(!watch.received.includes('"name":"during"') && !watch.received.includes('DELETED'));
    watch.destroy();
    assert.match(server.output.stderr, /changes cannot be stored: [^]*changes are stored again\n/);
    assert.equal(await server.stop('SIGKILL'), 'SIGKILL');

    const again = await serve(program, '--nodes', '0', '--data-dir', dir);
    for (const [name, code] of [['before', 200], ['during', 404], ['after', 200]]) assert.equal(await status(again, `${configMaps}/${name}`), code, name);
    assert.equal(await again.stop(), 0);
  });

  test('a directory that is taken away stores nothing, and that is said', async () => {
    const dir = fresh();
    const server = await serve(program, '--nodes', '0', '--data-dir', dir);
    renameSync(dir, `${dir}-away`);
    const answer = await post(server, configMap('lost'));
    assert.equal(answer.status, 500);
    assert.equal((await answer.json()).message, `the change was not stored: ${join(dir, 'tabernetes.db')}: No such file or directory`);
    renameSync(`${dir}-away`, dir);
    await waitFor(async () => (await status(server, '/readyz')) === 200, 10_000);
    assert.equal((await post(server, configMap('kept'))).status, 201);
    assert.equal(await server.stop(), 0);
  });

  test('a value that has changed on the disk is an unreadable object, and check-data finds it', async () => {
    const dir = fresh();
    const file = join(dir, 'tabernetes.db');
    const first = await serve(program, '--nodes', '0', '--data-dir', dir);
    assert.equal((await post(first, configMap('damaged', { text: 'spot-the-difference' }))).status, 201);
    assert.equal((await post(first, configMap('sound'))).status, 201);
    assert.equal(await first.stop(), 0);
    const good = await run(program, ['check-data', dir]);
    assert.deepEqual([good.code, good.stderr], [0, '']);
    assert.match(good.stdout, new RegExp(`^${dir}: \\d+ objects in \\d+ versions up to resourceVersion \\d+, all good\\n$`));
    writeFileSync(file, Buffer.from(readFileSync(file, 'latin1').replace('spot-the-difference', 'spot-the-damage-ence'.slice(0, 19)), 'latin1'));
    const bad = await run(program, ['check-data', dir]);
    assert.deepEqual([bad.code, bad.stdout], [1, '']);
    assert.match(bad.stderr, /^tabernetes: .+: core\/configmaps\/default\/damaged at \d+: its bytes have changed since they were written\n$/);
    const second = await serve(program, '--nodes', '0', '--data-dir', dir);
    const answer = await fetch(`${second.url}${configMaps}/damaged`);
    assert.deepEqual([answer.status, (await answer.json()).message], [500, 'illegal base64 data at input byte 3']);
    assert.equal(await status(second, `${configMaps}/sound`), 200);
    assert.equal(await second.stop(), 0);
  });

  test('backup while it runs, restore elsewhere', async () => {
    const dir = fresh();
    const server = await serve(program, '--nodes', '0', '--data-dir', dir);
    assert.equal((await post(server, configMap('saved'))).status, 201);
    const list = await read(server, '/api/v1/configmaps');
    const file = join(folder, 'backup.db');
    let writing = true;
    const load = (async () => {
      for (let n = 0; writing; ++n) assert.equal((await post(server, configMap(`load-${n}`))).status, 201);
    })();
    assert.deepEqual(await run(program, ['backup', dir, file]), { code: 0, stdout: '', stderr: '' });
    writing = false;
    await load;
    assert.deepEqual(await run(program, ['backup', dir, file]), { code: 1, stdout: '', stderr: `tabernetes: ${file} exists already\n` });
    const words = `tabernetes: ${dir}: process ${server.pid} has this data directory\n`;
    assert.deepEqual(await run(program, ['restore', file, dir]), { code: 1, stdout: '', stderr: words });
    assert.equal(await server.stop(), 0);
    assert.deepEqual(await run(program, ['restore', file, dir]), { code: 1, stdout: '', stderr: `tabernetes: ${join(dir, 'tabernetes.db')} exists already\n` });
    assert.ok(!existsSync(`${file}.partial`));

    const elsewhere = fresh();
    assert.deepEqual(await run(program, ['restore', file, elsewhere]), { code: 0, stdout: '', stderr: '' });
    assert.equal((await run(program, ['check-data', elsewhere])).code, 0);
    const restored = await serve(program, '--nodes', '0', '--data-dir', elsewhere);
    const saved = list.items.find((item) => item.metadata.name === 'saved');
    assert.deepEqual((await read(restored, '/api/v1/configmaps')).items.find((item) => item.metadata.name === 'saved'), saved);
    assert.equal(await restored.stop(), 0);
  });

  test('the commands on data say what is wrong', async () => {
    for (const [args, stderr, code = 2] of [
      [['backup'], 'tabernetes backup: DIR is required (see tabernetes backup --help)\n'],
      [['backup', 'a'], 'tabernetes backup: FILE is required (see tabernetes backup --help)\n'],
      [['restore', 'a', 'b', 'c'], 'tabernetes restore: unexpected argument c (see tabernetes restore --help)\n'],
      [['check-data', '/no/such'], 'tabernetes: /no/such/tabernetes.db: unable to open database file\n', 1],
    ]) {
      assert.deepEqual(await run(program, args), { code, stdout: '', stderr });
    }
  });

  test('killed at random points under load, nothing acknowledged is lost', async () => {
    const rounds = await torture({ program, directory: fresh(), rounds: 4, seed: 1 });
    assert.ok(rounds.acknowledged > 0);
  });
}
