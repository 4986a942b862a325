// Tests that the package's server drops clients that take too long, with limits that are short: wasm/src/cli/wire.ts as it is bundled.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { waitFor, Wire as Client } from '../mock-server/server.mjs';

const source = (name) => fileURLToPath(new URL(`../../wasm/src/cli/${name}.ts`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-slow-'));
after(() => rmSync(folder, { recursive: true }));

const kShort = { head: 300, idle: 300, body: 300, wholeBody: 1000, write: 300, connections: 0 };
let Connections, Wire, readBody, sendAnswer;

before(async () => {
  const contents = ['connections', 'wire', 'exchange'].map((name) => `export * from ${JSON.stringify(source(name))};`).join('\n');
  const outfile = join(folder, 'wire.mjs');
  const banner = { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" };
  await esbuild.build({ stdin: { contents, resolveDir: fileURLToPath(new URL('../..', import.meta.url)) }, outfile, bundle: true, platform: 'node', format: 'esm', banner, logLevel: 'error' });
  ({ Connections, Wire, readBody, sendAnswer } = await import(outfile));
});

/** Serves by `answer(body)` with short limits. */
async function serve(context, answer, limits = kShort) {
  const connections = new Connections(limits);
  const wire = new Wire({ answer: async (request, response) => {
    try {
      await sendAnswer(response, 'GET', { status: 200, headers: [], ...answer(await readBody(request, 1e9, connections)) }, connections);
    } catch {
      response.destroy?.();
    }
  } }, undefined, connections);
  await wire.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => wire.abort());
  const dropped = (reason) => Number(connections.metrics().match(new RegExp(`dropped_total\\{reason="${reason}_timeout"\\} (\\d+)`))[1]);
  return { port: wire.port, dropped };
}
const echo = (body) => ({ body });

describe('HTTP/1.1: who takes too long is dropped', () => {
  for (const [what, sent, reason] of [
    ['for the first byte', '', 'head'],
    ['for the head', 'GET / HTTP/1.1\r\nHost:', 'head'],
    ['for a byte of the body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc', 'body'],
  ]) {
    test(what, async (context) => {
      const { port, dropped } = await serve(context, echo);
      const client = new Client(port).send(sent);
      await client.untilEnded();
      assert.equal(client.received, '');
      assert.equal(dropped(reason), 1);
    });
  }

  test('for the whole body, though it goes on', async (context) => {
    const { port, dropped } = await serve(context, echo);
    const client = new Client(port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n');
    const drip = setInterval(() => client.send('a'), 100);
    await client.untilEnded();
    clearInterval(drip);
    assert.equal(dropped('body'), 1);
  });

  test('for the next request', async (context) => {
    const { port, dropped } = await serve(context, echo);
    const client = new Client(port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab');
    await client.until(/ab$/);
    await client.untilEnded();
    assert.equal(dropped('idle'), 1);
  });

  for (const [what, answer] of [
    ['for a large answer', () => ({ body: Buffer.alloc(64 << 20) })],
    ['for a stream', () => ({ stream: (async function* () { for (;;) yield Buffer.alloc(1 << 20); })() })],
  ]) {
    test(what, async (context) => {
      const { port, dropped } = await serve(context, answer);
      const client = new Client(port);
      client.socket.pause();
      client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await waitFor(() => dropped('write') === 1);
      client.destroy();
    });
  }

  test('who is quick enough is not', async (context) => {
    const { port, dropped } = await serve(context, echo, { ...kShort, wholeBody: 10_000 });
    const client = new Client(port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n');
    for (const digit of '0123456789') {
      client.send(digit);
      await new Promise((done) => setTimeout(done, 60));
    }
    await client.until(/0123456789$/);
    client.destroy();
    assert.equal(dropped('body'), 0);
  });
});

describe('HTTP/2', () => {
  test('a body that does not go on ends its stream alone', async (context) => {
    const { port, dropped } = await serve(context, echo, { ...kShort, idle: 10_000 });
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':method': 'POST' }).on('error', () => {});
    stream.write('abc');
    await once(stream, 'close');
    assert.equal(stream.rstCode, http2.constants.NGHTTP2_CANCEL);
    assert.equal(dropped('body'), 1);
    const next = session.request({ ':path': '/' });
    assert.equal((await once(next, 'response'))[0][':status'], 200);
    session.destroy();
  });

  test('an answer that is not taken ends its stream alone', async (context) => {
    const { port, dropped } = await serve(context, () => ({ body: Buffer.alloc(4 << 20) }), { ...kShort, idle: 10_000 });
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':path': '/' }).on('error', () => {});
    stream.pause();
    await waitFor(() => dropped('write') === 1);
    assert.equal(session.destroyed, false);
    session.destroy();
  });

  test('a connection without requests ends', async (context) => {
    const { port, dropped } = await serve(context, echo);
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':path': '/' });
    stream.resume();
    await once(stream, 'close');
    await once(session, 'close');
    assert.equal(dropped('idle'), 1);
  });
});
