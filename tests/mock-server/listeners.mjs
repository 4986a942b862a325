// Tests where a server listens: addresses, Unix sockets, sockets that another program has opened; and what SIGHUP reads anew.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { certificatesAnewOf } from './certificates_anew.mjs';
import { run, serveExactly, waitFor } from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabernetes-listeners-'));
after(() => rmSync(folder, { recursive: true }));

const kQuiet = ['--controllers', 'none', '--scheduler=false', '--ui=false'];
const curl = (...args) => execFileSync('curl', ['-sS', '--max-time', '10', ...args], { encoding: 'utf8' });

/** Defines the tests of `binary`, the path of a command. */
export function listenersOf(binary) {
  describe('Unix sockets', () => {
    const path = join(folder, 'api.sock');
    const place = `unix://${path}`;

    test('beside addresses; the kubeconfig names the first address', async () => {
      const kubeconfig = join(folder, 'kubeconfig');
      const server = await serveExactly(binary, 3, ...kQuiet, '--listen', place, '--listen', '127.0.0.1:0', '--listen', '[::1]:0', '--kubeconfig', kubeconfig);
      assert.equal(server.urls[0], place);
      assert.match(server.urls[1], /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.match(server.urls[2], /^http:\/\/\[::1\]:\d+$/);
      for (const url of server.urls.slice(1)) assert.equal(curl('-g', `${url}/readyz`), 'ok');
      assert.equal(curl('--unix-socket', path, 'http://localhost/readyz'), 'ok');
      assert.ok(readFileSync(kubeconfig, 'utf8').includes(`    server: ${server.urls[1]}\n`));
      assert.equal(await server.stop(), 0);
      assert.equal(existsSync(path), false);
    });

    test('any host will do there, a foreign page will not', async () => {
      const server = await serveExactly(binary, 2, ...kQuiet, '--listen', place, '--listen', '127.0.0.1:0');
      assert.equal(curl('--unix-socket', path, 'http://somewhere.example/readyz'), 'ok');
      assert.match(curl('-H', 'Host: somewhere.example', `${server.urls[1]}/readyz`), /^403 Forbidden: this server does not answer for the host/);
      assert.match(curl('--unix-socket', path, '-H', 'Origin: http://evil.example', '-d', 'a', 'http://localhost/api/v1/namespaces'), /^403 Forbidden: pages of http:\/\/evil\.example may not write here/);
      assert.equal(curl('--unix-socket', path, '--http2-prior-knowledge', 'http://somewhere.example/readyz'), 'ok');
      assert.equal(await server.stop(), 0);
    });

    test('objects, watches, and the log', async () => {
      const server = await serveExactly(binary, 1, ...kQuiet, '--log', 'info', '--listen', place);
      const socket = net.connect(path);
      let seen = '';
      socket.setEncoding('utf8').on('data', (text) => (seen += text));
      socket.write('GET /api/v1/namespaces?watch=true HTTP/1.1\r\nHost: x\r\n\r\n');
      await waitFor(() => seen.includes('"name":"default"'));
      const made = curl('--unix-socket', path, '-H', 'Content-Type: application/json', '-d', '{"metadata":{"name":"by-socket"}}', 'http://x/api/v1/namespaces');
      assert.equal(JSON.parse(made).metadata.name, 'by-socket');
      await waitFor(() => seen.includes('"name":"by-socket"'));
      socket.destroy();
      assert.equal(await server.stop(), 0);
      assert.match(server.output.stderr, /^POST \/api\/v1\/namespaces 201 /m);
    });

    test('with TLS', async () => {
      const certs = join(folder, 'certs');
      const server = await serveExactly(binary, 1, ...kQuiet, '--listen', place, '--tls', '--cert-dir', certs);
      assert.equal(curl('--unix-socket', path, '--cacert', join(certs, 'ca.crt'), 'https://localhost/readyz'), 'ok');
      assert.equal(await server.stop(), 0);
    });

    test('one that a killed server left is taken; one in use is not', async () => {
      const killed = await serveExactly(binary, 1, ...kQuiet, '--listen', place);
      const refused = await run(binary, ['serve', '--listen', place]);
      assert.deepEqual(refused, { code: 1, stdout: '', stderr: `tabernetes: cannot listen on ${place}: Address already in use\n` });
      await killed.stop('SIGKILL');
      assert.ok(existsSync(path));
      const next = await serveExactly(binary, 1, ...kQuiet, '--listen', place);
      assert.equal(curl('--unix-socket', path, 'http://localhost/readyz'), 'ok');
      assert.equal(await next.stop(), 0);
    });

    test('what cannot be one is refused, and a file that is there stays', async () => {
      const [file, long] = [join(folder, 'notes.txt'), join(folder, 'x'.repeat(120))];
      writeFileSync(file, 'notes');
      for (const [where, reason] of [
        [file, 'Address already in use'],
        [long, "A Unix socket's path has at most 107 bytes"],
        [join(folder, 'none', 'api.sock'), 'No such file or directory'],
      ]) {
        const stderr = `tabernetes: cannot listen on unix://${where}: ${reason}\n`;
        assert.deepEqual(await run(binary, ['serve', '--listen', `unix://${where}`]), { code: 1, stdout: '', stderr });
      }
      assert.equal(readFileSync(file, 'utf8'), 'notes');
      assert.equal((await run(binary, ['serve', '--listen', 'unix://api.sock'])).code, 2);
    });

    test('no kubeconfig reaches it alone', async () => {
      const kubeconfig = join(folder, 'none');
      const { code, stderr } = await run(binary, ['serve', '--listen', place, '--kubeconfig', kubeconfig]);
      assert.equal(code, 1);
      assert.equal(stderr, `tabernetes: cannot write the kubeconfig ${kubeconfig}: A Unix socket has no address for it: --listen HOST:PORT is needed\n`);
      assert.equal(existsSync(path), false);
    });
  });

  describe('sockets that another program has opened', () => {
    /** Starts the binary with `opened`, servers of node:net, as systemd passes them. */
    async function inherit(opened, ready, ...args) {
      const stdio = ['ignore', 'pipe', 'pipe', ...opened.map((server) => server._handle)];
      const child = spawn('/bin/sh', ['-c', `LISTEN_PID=$$ LISTEN_FDS=${opened.length} exec "$0" serve "$@"`, binary, ...kQuiet, ...args], { stdio });
      const server = { stdout: '', stderr: '', code: undefined };
      child.stdout.on('data', (text) => (server.stdout += text));
      child.stderr.on('data', (text) => (server.stderr += text));
      child.on('close', (code) => (server.code = code));
      await waitFor(() => server.code !== undefined || server.stdout.split('\n').length > ready);
      server.urls = server.stdout.trim().split('\n').map((line) => line.replace(/^tabernetes ready /, ''));
      server.stop = async () => {
        child.kill();
        await waitFor(() => server.code !== undefined);
        return server.code;
      };
      return server;
    }
    const open = async (...where) => {
      const server = net.createServer().listen(...where);
      await once(server, 'listening');
      return server;
    };

    test('take the place of the default address; those of --listen come besides', async () => {
      const path = join(folder, 'inherited.sock');
      const opened = [await open(0, '127.0.0.1'), await open(path)];
      const { port } = opened[0].address();
      const alone = await inherit(opened, 2);
      assert.deepEqual(alone.urls, [`http://127.0.0.1:${port}`, `unix://${path}`]);
      assert.equal(await alone.stop(), 0);
      const both = await inherit(opened, 3, '--listen', '127.0.0.1:0');
      assert.equal(both.urls.length, 3);
      for (const server of opened) server.close(); // ours; the children have theirs
      assert.equal(curl(`http://127.0.0.1:${port}/readyz`), 'ok');
      assert.equal(curl(`${both.urls[2]}/readyz`), 'ok');
      assert.equal(await both.stop(), 0);
    });

    test('what is none is refused', async () => {
      const listener = await open(0, '127.0.0.1');
      const connected = net.connect(listener.address().port, '127.0.0.1');
      await once(connected, 'connect');
      const server = await inherit([connected], 1);
      assert.deepEqual([server.code, server.stderr], [1, 'tabernetes: descriptor 3 of LISTEN_FDS is no socket that listens for connections\n']);
      connected.destroy();
      listener.close();
    });
  });

  certificatesAnewOf(binary);

  describe('SIGHUP', () => {
    test('tokens are read anew; a bad file is told, and the old tokens stay', async () => {
      const file = join(folder, 'tokens.csv');
      writeFileSync(file, 'first,jane,1\n');
      const server = await serveExactly(binary, 1, ...kQuiet, '--listen', '127.0.0.1:0', '--token-auth-file', file);
      const whoIs = async (token) => {
        const answer = await fetch(`${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}',
        });
        return answer.status === 401 ? 401 : (await answer.json()).status.userInfo.username;
      };
      assert.deepEqual([await whoIs('first'), await whoIs('second')], ['jane', 401]);
      writeFileSync(file, 'second,jill,2\n');
      process.kill(server.pid, 'SIGHUP');
      await waitFor(async () => (await whoIs('second')) === 'jill');
      assert.equal(await whoIs('first'), 401);
      writeFileSync(file, 'third\n');
      process.kill(server.pid, 'SIGHUP');
      await waitFor(() => server.output.stderr !== '');
      assert.match(server.output.stderr, /^tabernetes: SIGHUP: [^\n]*tokens\.csv: [^\n]+; the tokens stay\n$/);
      assert.equal(await whoIs('second'), 'jill');
      assert.equal(await server.stop(), 0);
    });

    test('where there is nothing to read it changes nothing', async () => {
      const server = await serveExactly(binary, 1, ...kQuiet, '--listen', '127.0.0.1:0');
      process.kill(server.pid, 'SIGHUP');
      assert.equal(curl(`${server.url}/readyz`), 'ok');
      assert.equal(await server.stop(), 0);
      assert.equal(server.output.stderr, '');
    });
  });
}
