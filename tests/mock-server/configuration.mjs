// Tests --config and --log-format, which the native binary and the npm package's command read and write alike.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { run, serve, serveExactly, waitFor } from './server.mjs';
import { FrameSocket, handshake } from './websocket_client.mjs';

const kTime = '2026-01-01T00:00:00Z';

/** Defines the tests of `program`, the path of a command. */
export function configurationOf(program) {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-config-'));
  after(() => rmSync(folder, { recursive: true }));
  let files = 0;
  const file = (text) => {
    const path = join(folder, `${++files}.yaml`);
    writeFileSync(path, text);
    return path;
  };
  const namespaceAge = async (server) => (await (await fetch(`${server.url}/api/v1/namespaces/default`)).json()).metadata.creationTimestamp;

  describe('--config', () => {
    test('says what flags say, lists for those that repeat', async () => {
      const manifest = file('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"loaded"}}');
      const config = file(
        `# comments are read over\nlisten: [127.0.0.1:0, "127.0.0.1:0"]\nload:\n  - ${manifest}\nseed: 7\nclock: ${kTime}\n` +
          `controllers: none\nnodes: 3\nui: false\nwatch-history: 1m30s\nallowed-hosts: [good.example]\n` +
          `cors-allowed-origins: []\nfeature-gates:\n- WatchList=false\nlog-format: json\n`,
      );
      const server = await serveExactly(program, 2, '--config', config);
      try {
        for (const url of server.urls) assert.equal((await fetch(`${url}/version`)).status, 200);
        assert.equal((await fetch(`${server.url}/api/v1/namespaces/default/configmaps/loaded`)).status, 200);
        assert.equal(await namespaceAge(server), kTime);
        assert.equal((await fetch(`${server.url}/ui/`)).status, 404);
        const preflight = await fetch(`${server.url}/api/v1/pods`, { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } });
        assert.equal(preflight.status, 405);
      } finally {
        assert.equal(await server.stop(), 0);
      }
    });

    test('an empty file says nothing', async () => {
      for (const text of ['', '# nothing\n', '---\n', '{}\n']) {
        const server = await serve(program, '--config', file(text));
        assert.equal(await server.stop(), 0);
      }
    });

    test('the command line wins', async () => {
      const config = file(`clock: 2027-01-01T00:00:00Z\nui: true\nlisten: 127.0.0.1:1\n`);
      const server = await serve(program, '--clock', kTime, '--config', config, '--ui=false');
      try {
        assert.equal(await namespaceAge(server), kTime);
        assert.equal((await fetch(`${server.url}/ui/`)).status, 404);
      } finally {
        assert.equal(await server.stop(), 0);
      }
    });

    test('a mistake: one line with its place, exit 2', async () => {
      for (const [text, where] of [
        ['seed: 1\nui: true\nlisen: 127.0.0.1:0\n', '3:1: unknown flag "lisen", did you mean "listen"?'],
        ['--listen: 127.0.0.1:0\n', '1:1: unknown flag "--listen", did you mean "listen"?'],
        ['what: ever\n', '1:1: unknown flag "what"'],
        ['help: true\n', '1:1: unknown flag "help"'],
        ['config: other.yaml\n', '1:1: config: no file names another one'],
        ['listen: nowhere\n', '1:9: listen: HOST:PORT or [IPV6]:PORT, not nowhere'],
        ['listen:\n  - 127.0.0.1:0\n  - nowhere\n', '3:5: listen: HOST:PORT or [IPV6]:PORT, not nowhere'],
        ['nodes: many\n', '1:8: nodes: a whole number up to 10000, not many'],
        ['nodes: 1.5\n', '1:8: nodes: a whole number up to 10000, not 1.5'],
        ['nodes: [1, 2]\n', '1:1: nodes: takes a single value, not a list'],
        ['ui: 3\n', '1:5: ui: true or false, not 3'],
        ['ui: ""\n', '1:5: ui: a value is needed'],
        ['seed: -1\n', '1:7: seed: a whole number up to 18446744073709551615, not -1'],
        ['clock: noon\n', '1:8: clock: a time such as 2026-01-01T00:00:00Z, not noon'],
        ['watch-history: 5\n', '1:16: watch-history: a duration such as 90s, not 5'],
        ['log-format: xml\n', '1:13: log-format: text or json, not xml'],
        ['feature-gates: [WatchList=true, Nope=true]\n', '1:33: feature-gates: unrecognized feature gate: Nope'],
        ['seed:\n', '1:1: seed: a value is needed'],
        ['seed: ~\n', '1:1: seed: a value is needed'],
        ['load: [a, null]\n', '1:1: load: a value is needed'],
        ['load: []\n', '1:1: load: a value is needed'],
        ['listen: {host: a}\n', '1:9: listen: a single value is needed'],
        ['listen: [[a]]\n', '1:10: listen: a single value is needed'],
        ['[1, 2]: 3\n', '1:1: the name of a flag is needed'],
        ['- listen\n', '1:1: a mapping from flags to values is needed'],
        ['listen\n', '1:1: a mapping from flags to values is needed'],
        ['seed: 1\nnodes: 1\nseed: 2\n', '3:1: seed: given in line 1 already'],
        ['seed: 1\n---\nseed: 2\n', '3:1: a second document'],
      ]) {
        const config = file(text);
        const expected = `tabernetes serve: ${config}:${where} (see tabernetes serve --help)\n`;
        assert.deepEqual(await run(program, ['serve', '--listen=127.0.0.1:0', '--config', config]), { code: 2, stdout: '', stderr: expected });
      }
    });

    test('what is no YAML is told with its place, in the words of the library', async () => {
      for (const [text, line] of [
        ['seed: 1\nlisten: [a, b\n', '[23]'],
        ['seed: a: b\n', '1'],
        ['listen: *nobody\n', '1'],
      ]) {
        const config = file(text);
        const { code, stdout, stderr } = await run(program, ['serve', '--config', config]);
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, new RegExp(`^tabernetes serve: ${config}:${line}:\\d+: no YAML: [^\\n]+ \\(see tabernetes serve --help\\)\\n$`));
      }
    });

    test('flags that do not go together are found in the file, too', async () => {
      const message = '--authorization-mode RBAC: --token-auth-file is needed, or nobody may do anything';
      assert.deepEqual(await run(program, ['serve', '--config', file('authorization-mode: RBAC\n')]), {
        code: 2,
        stdout: '',
        stderr: `tabernetes serve: ${message} (see tabernetes serve --help)\n`,
      });
    });

    test('a file that cannot be read: what and where, exit 1', async () => {
      const missing = join(folder, 'missing.yaml');
      for (const [path, why] of [[missing, 'No such file or directory'], [folder, 'Is a directory']]) {
        assert.deepEqual(await run(program, ['serve', '--config', path]), { code: 1, stdout: '', stderr: `tabernetes: ${path}: ${why}\n` });
      }
      assert.deepEqual(await run(program, ['serve', '--config']), {
        code: 2,
        stdout: '',
        stderr: 'tabernetes serve: --config: a value is needed (see tabernetes serve --help)\n',
      });
    });
  });

  describe('the log', () => {
    const lines = (server) => server.output.stderr.split('\n').filter((line) => line !== '');

    test('is silent about requests unless asked', async () => {
      const server = await serve(program, '--log-format', 'json');
      await (await fetch(`${server.url}/version`)).text();
      assert.equal(await server.stop(), 0);
      assert.equal(server.output.stderr, '');
    });

    test('has a line a request as text', async () => {
      const server = await serve(program, '--log', 'info');
      await (await fetch(`${server.url}/api/v1/pods?limit=1`)).text();
      await waitFor(() => lines(server).length === 1);
      assert.equal(await server.stop(), 0);
      assert.match(server.output.stderr, /^GET \/api\/v1\/pods\?limit=1 200 \d+ bytes \d+\.\d ms\n$/);
    });

    test('has one JSON object a request, with the names of kube-apiserver', async () => {
      const server = await serve(program, '--log', 'info', '--log-format', 'json');
      const began = Date.now();
      const pods = '/api/v1/namespaces/default/pods';
      const maps = '/api/v1/namespaces/default/configmaps';
      const map = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
      const apply = { 'content-type': 'application/apply-patch+yaml' };
      const json = { 'content-type': 'application/json' };
      for (const [method, path, verb, resource, resp, options] of [
        ['GET', '/version', 'GET', undefined, 200],
        ['GET', '/api/v1', 'GET', undefined, 200],
        ['GET', pods, 'LIST', 'pods', 200],
        ['GET', `${pods}?watch=true&timeoutSeconds=1`, 'WATCH', 'pods', 200],
        ['GET', `${pods}/none`, 'GET', 'pods', 404],
        ['GET', `${pods}/none/log`, 'CONNECT', 'pods/log', 404],
        ['HEAD', '/api/v1/namespaces/default', 'GET', 'namespaces', 405],
        ['POST', maps, 'POST', 'configmaps', 201, { headers: json, body: map }],
        ['PATCH', `${maps}/a?fieldManager=m`, 'APPLY', 'configmaps', 200, { headers: apply, body: map }],
        ['PUT', `${maps}/a`, 'PUT', 'configmaps', 200, { headers: json, body: map }],
        ['GET', '/apis/apps/v1/deployments', 'LIST', 'deployments.apps', 200],
        ['GET', '/apis/apps/v1/namespaces/default/deployments/d/scale', 'GET', 'deployments.apps/scale', 404],
        ['DELETE', `${maps}/a`, 'DELETE', 'configmaps', 200],
      ]) {
        const before = lines(server).length;
        const headers = { 'user-agent': 'tried/1.0 "quoted"', ...options?.headers };
        const answer = await fetch(server.url + path, { method, ...options, headers });
        await answer.text();
        await waitFor(() => lines(server).length === before + 1);
        const { ts, latency, srcIP, bytes, ...line } = JSON.parse(lines(server).at(-1));
        assert.deepEqual(line, {
          msg: 'HTTP',
          v: 0,
          verb,
          URI: path,
          userAgent: 'tried/1.0 "quoted"',
          'audit-ID': answer.headers.get('audit-id') ?? '',
          ...(resource && { resource }),
          resp: answer.status,
        });
        assert.equal(answer.status, resp, `${method} ${path}`);
        assert.ok(ts > began - 1000 && ts < Date.now() + 1000, `${ts}`);
        assert.match(latency, /^[\d.]+(µs|ms|s)$/);
        assert.match(srcIP, /^127\.0\.0\.1:\d+$/);
        assert.ok(bytes > 100);
      }
      assert.deepEqual(Object.keys(JSON.parse(lines(server)[2])), [
        ...['ts', 'msg', 'v', 'verb', 'URI', 'latency', 'userAgent', 'audit-ID', 'srcIP', 'resource', 'bytes', 'resp'],
      ]);
      assert.equal(await server.stop(), 0);
    });

    test('tells a WebSocket when it ends', async () => {
      const server = await serve(program, '--log', 'info', '--log-format', 'json');
      const path = '/api/v1/namespaces/default/pods?watch=true&timeoutSeconds=1';
      const socket = await FrameSocket.open(server.port, path, handshake({}));
      await waitFor(() => lines(server).length === 1);
      socket.destroy();
      assert.equal(await server.stop(), 0);
      const { verb, hijacked, resp } = JSON.parse(lines(server)[0]);
      assert.deepEqual([verb, hijacked, resp], ['WATCH', true, undefined]);
    });
  });
}
