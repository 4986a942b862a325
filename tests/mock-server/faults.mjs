// What goes wrong on purpose, on the wire: connections that close without an answer or in the middle of one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run, serve, Wire } from './server.mjs';

/** Defines the tests of `binary`, the path of a command. */
export function faultsOf(binary) {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-faults-'));
  const rules = join(folder, 'rules.yaml');
  writeFileSync(rules, '- match: {path: /readyz}\n  nth: 1\n  status: 503\n');

  let server;
  before(async () => (server = await serve(binary, '--nodes', '0', '--controllers', 'none', '--faults', rules)));
  after(async () => {
    assert.equal(await server.stop(), 0);
    rmSync(folder, { recursive: true });
  });

  const set = async (list) => assert.equal((await fetch(`${server.url}/-/tabernetes/faults`, { method: 'PUT', body: JSON.stringify(list) })).status, 200);
  const version = () => fetch(`${server.url}/version`);
  const isClosed = (error) => error instanceof TypeError && error.cause?.code === 'UND_ERR_SOCKET';

  test('--faults has the rules of the start, and says which is none', async () => {
    assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    writeFileSync(rules, '- statsu: 503\n');
    const { code, stderr } = await run(binary, ['serve', '--listen', '127.0.0.1:0', '--faults', rules]);
    assert.equal(code, 1);
    assert.equal(stderr, `tabernetes: ${rules}: rules[0].statsu: unknown; there are match, nth, share, delay, connection, status, watch, body\n`);
  });

  test('a connection closes without an answer, and in the middle of one', async () => {
    await set([
      { match: { path: '/version' }, nth: 1, connection: 'close' },
      { match: { path: '/version' }, nth: 1, body: { bytes: 20, then: 'close' } },
    ]);
    await assert.rejects(version(), isClosed);
    const cut = await version();
    assert.equal(cut.status, 200);
    await assert.rejects(cut.text(), isClosed);
    assert.equal((await version()).status, 200);
  });

  test('a watch breaks off after its events', async () => {
    await set([{ match: { verb: 'watch' }, watch: { events: 1, then: 'close' } }]);
    const wire = new Wire(server.port).send('GET /api/v1/namespaces?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [, ...chunks] = (await wire.untilEnded()).split('\r\n\r\n');
    assert.match(chunks.join(''), /^[0-9a-f]+\r\n\{"type":"ADDED","object":\{[^\n]*\}\}\n\r\n$/); // and no last chunk
  });

  test('a delay passes in real time', async () => {
    await set([{ match: { path: '/version' }, delay: '200ms' }]);
    const begun = Date.now();
    assert.equal((await version()).status, 200);
    assert.ok(Date.now() - begun >= 195);
  });

  test('with HTTP/2 the stream is reset, and the connection goes on', async () => {
    await set([
      { match: { path: '/version' }, nth: 1, connection: 'lose' },
      { match: { path: '/version' }, nth: 1, body: { bytes: 20, then: 'close' } },
    ]);
    const session = http2.connect(server.url);
    const ask = async () => {
      const stream = session.request({ ':path': '/version' });
      let size = 0;
      stream.on('data', (part) => (size += part.length)).on('error', () => {});
      stream.end();
      await new Promise((closed) => stream.on('close', closed));
      return { size, code: stream.rstCode };
    };
    assert.deepEqual(await ask(), { size: 0, code: http2.constants.NGHTTP2_INTERNAL_ERROR });
    assert.deepEqual(await ask(), { size: 20, code: http2.constants.NGHTTP2_INTERNAL_ERROR });
    const whole = await ask();
    assert.equal(whole.code, 0);
    assert.ok(whole.size > 100);
    session.close();
  });

  test('the request log says what was done to whom, whoever answered', async () => {
    await fetch(`${server.url}/-/tabernetes/requests`, { method: 'DELETE' });
    await set([{ match: { path: '/version' }, connection: 'lose' }]);
    await assert.rejects(version(), isClosed);
    await set([]);
    assert.equal((await version()).status, 200);
    const { requests } = await (await fetch(`${server.url}/-/tabernetes/requests`)).json();
    assert.deepEqual(requests.map((r) => [r.target, r.user, r.code, r.fault]), [
      ['/version', 'system:anonymous', 200, 'connection lose'],
      ['/version', 'system:anonymous', 200, undefined],
    ]);
  });
}
