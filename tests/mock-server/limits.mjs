// Tests how many connections a server takes, what it does without descriptors, and what /metrics says of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Wire, run, serve, waitFor } from './server.mjs';

const kQuiet = ['--controllers', 'none', '--scheduler=false', '--ui=false'];
const ask = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Returns the sample of that name, which may have labels, on a connection of its own. */
async function sample(port, name) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line && Number(line.slice(name.length + 1));
}

/** Starts the binary with no more than `most` open files. */
async function serveWithFiles(context, binary, most, ...args) {
  const child = spawn('/bin/sh', ['-c', `ulimit -n ${most}; exec "$0" serve --listen 127.0.0.1:0 "$@"`, binary, ...kQuiet, ...args]);
  context.after(() => child.kill('SIGKILL'));
  const server = { stdout: '', stderr: '' };
  child.stderr.on('data', (text) => (server.stderr += text));
  child.stdout.on('data', (text) => (server.stdout += text));
  await waitFor(() => server.stdout.includes('\n'));
  server.port = Number(server.stdout.match(/:(\d+)\n/)[1]);
  server.stop = async () => {
    child.kill();
    return (await once(child, 'close'))[0];
  };
  return server;
}

/** Defines the tests of `binary`, the path of a command; without descriptors Node.js drops those who come. */
export function limitsOf(binary, { native = false } = {}) {
  describe('a limit of connections', () => {
    test('those beyond it wait until one ends', async () => {
      const server = await serve(binary, ...kQuiet, '--max-connections', '2');
      const [a, b, c] = [1, 2, 3].map(() => new Wire(server.port));
      for (const wire of [a, b]) await wire.send(ask('/healthz')).until(/ok$/);
      c.send(ask('/healthz'));
      await a.send(ask('/healthz')).until(/ok[^]*ok$/);
      await new Promise((done) => setTimeout(done, 100));
      assert.equal(c.received, '');
      b.destroy();
      await c.until(/ok$/);
      assert.equal(server.output.stderr, 'tabernetes: there are 2 connections; more wait until one ends (see --max-connections)\n');
      for (const wire of [a, c]) wire.destroy();
      assert.equal(await server.stop(), 0);
    });

    test('a value that is none is refused', async () => {
      const { code, stderr } = await run(binary, ['serve', '--max-connections', '-1']);
      assert.deepEqual([code, stderr], [2, 'tabernetes serve: --max-connections: a whole number up to 1000000, not -1 (see tabernetes serve --help)\n']);
    });
  });

  test('/metrics tells of the connections', async () => {
    const server = await serve(binary, ...kQuiet, '--max-connections', '77');
    const wires = [1, 2, 3].map(() => new Wire(server.port));
    for (const wire of wires) await wire.send(ask('/healthz')).until(/ok$/);
    const value = (name) => sample(server.port, name);
    assert.equal(await value('tabernetes_connections'), 4);
    assert.equal(await value('tabernetes_connections_limit'), 77);
    assert.equal(await value('tabernetes_connections_accepted_total'), 6);
    assert.equal(await value('tabernetes_connections_dropped_total{reason="head_timeout"}'), 0);
    assert.equal(await value('tabernetes_failed_accepts_total'), 0);
    assert.equal(await value('apiserver_tls_handshake_errors_total'), 0);
    assert.ok((await value('process_open_fds')) > 5);
    assert.ok((await value('process_max_fds')) > 100);
    for (const wire of wires) wire.destroy();
    await waitFor(async () => (await value('tabernetes_connections')) === 1);
    assert.equal(await server.stop(), 0);
  });

  describe('a limit of open files', () => {
    test('without descriptors it serves those that it has', async (context) => {
      const server = await serveWithFiles(context, binary, 60, '--max-connections', '1000');
      const wires = Array.from({ length: 60 }, () => new Wire(server.port).send(ask('/healthz')));
      const answered = () => wires.filter(({ received }) => /ok$/.test(received));
      await waitFor(() => (native ? server.stderr !== '' : wires.some(({ ended }) => ended)) && answered().length > 20);
      assert.equal(server.stderr, native ? 'tabernetes: cannot accept a connection: Too many open files\n' : '');
      const had = answered();
      assert.ok(had.length < 60, String(had.length));
      for (const wire of had) wire.received = '';
      for (const wire of had) await wire.send(ask('/version')).until(/gitVersion/);
      for (const wire of had) wire.destroy();
      if (native) {
        const others = wires.filter((wire) => !had.includes(wire));
        for (const wire of others) wire.until(/ok$/).then(() => wire.destroy(), () => {});
        await waitFor(() => others.every(({ received }) => /ok$/.test(received)));
      } else {
        // Node.js ends what it has no descriptor for; those before are given back in a moment.
        await waitFor(async () => {
          const wire = new Wire(server.port).send(ask('/healthz'));
          await waitFor(() => wire.ended || /ok$/.test(wire.received));
          wire.destroy();
          return /ok$/.test(wire.received);
        });
      }
      assert.equal((await sample(server.port, 'tabernetes_failed_accepts_total')) > 0, native);
      assert.equal(await server.stop(), 0);
    });

    test('the usual limit leaves room for other files', async (context) => {
      const server = await serveWithFiles(context, binary, 200);
      assert.equal(await sample(server.port, 'tabernetes_connections_limit'), 100);
      const wires = Array.from({ length: 150 }, () => new Wire(server.port).send(ask('/healthz')));
      await waitFor(() => wires.filter(({ received }) => /ok$/.test(received)).length === 100);
      for (const wire of wires.slice(0, 99)) wire.destroy();
      await waitFor(() => wires.slice(99).every(({ received }) => /ok$/.test(received)));
      assert.equal(await sample(server.port, 'tabernetes_failed_accepts_total'), 0);
      for (const wire of wires) wire.destroy();
      assert.equal(await server.stop(), 0);
    });
  });
}
