// Tests rules of containers whose answers are functions: commands, ports, logs.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { webSocketOf } from '../../dist/websocket.js';
import { createCluster, kReproducible } from './support.mjs';

const kOptions = { ...kReproducible, controllers: 'kubelet,serviceaccount', nodes: 1 };
const kPods = '/api/v1/namespaces/default/pods';
const podOf = (name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: name } },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'a', ports: [{ containerPort: 80 }] }, { name: 'side', image: 'b' }] },
});

let cluster;
beforeEach(async () => {
  cluster = await createCluster(kOptions);
  await fill(cluster);
});
afterEach(() => cluster.dispose());

async function fill(into) {
  await into.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  for (const name of ['web', 'db']) await into.apply(podOf(name));
  into.advance(10_000);
}

/** Opens an exec. Returns `type`, `end`, and a promise of what the channels gave. */
function open(command, { pod = 'web', container = 'main', on = cluster, tty = false } = {}) {
  const query = new URLSearchParams([...command.map((word) => ['command', word]), ['container', container], ['stdin', 'true'], ['stdout', 'true'], [tty ? 'tty' : 'stderr', 'true']]);
  const socket = new (webSocketOf(on))(`ws://cluster${kPods}/${pod}/exec?${query}`, ['v5.channel.k8s.io']);
  socket.binaryType = 'arraybuffer';
  const result = { out: '', err: '', status: '' };
  const seen = new Set();
  socket.onmessage = ({ data }) => {
    const name = ['in', 'out', 'err', 'status'][new Uint8Array(data)[0]];
    result[name] += new TextDecoder().decode(data.slice(1));
    for (const look of seen) look();
  };
  const opened = new Promise((resolve) => (socket.onopen = resolve));
  const send = async (...bytes) => {
    await opened;
    socket.send(new Uint8Array(bytes));
  };
  return {
    type: (text) => send(0, ...new TextEncoder().encode(text)),
    end: () => send(255, 0),
    /** Resolves when the output matches. */
    shows: (pattern) =>
      new Promise((resolve) => {
        const look = () => pattern.test(result.out) && resolve(result.out);
        seen.add(look);
        look();
      }),
    ended: new Promise((resolve) => (socket.onclose = () => resolve({ ...result, status: JSON.parse(result.status) }))),
  };
}

/** Runs a command to its end. */
async function exec(command, options, input = '') {
  const session = open(command, options);
  if (input !== '') await session.type(input);
  await session.end();
  const { out, err, status } = await session.ended;
  const code = status.status === 'Success' ? 0 : Number(status.details.causes[0].message);
  return { out, err, code };
}

describe('commands', () => {
  test('a function gives output, errors and exit code, and knows who asks what', async () => {
    const asked = [];
    cluster.containers.set([
      {
        match: { labels: { app: 'web' }, container: 'main' },
        commands: [{ command: 'report *', answer: (exec) => (asked.push(exec), { stdout: 'out\n', stderr: 'err\n', code: 4 }) }],
      },
    ]);
    assert.deepEqual(await exec(['report', 'a b', 'ü']), { out: 'out\n', err: 'err\n', code: 4 });
    const [{ pod, ...rest }] = asked;
    assert.deepEqual(rest, { container: 'main', command: ['report', 'a b', 'ü'], stdin: '' });
    assert.deepEqual([pod.kind, pod.metadata.name, pod.status.phase], ['Pod', 'web', 'Running']);
    assert.equal((await exec(['report'], { pod: 'db' }).catch(() => ({ code: 'none' }))).code === 0, false);
  });

  test('every form of an answer, also later', async () => {
    const answers = { text: 'text\n', nothing: undefined, later: new Promise((resolve) => setTimeout(resolve, 20, { stdout: 'later\n' })) };
    cluster.containers.set([{ commands: [{ command: ['get', '*'], answer: ({ command }) => answers[command[1]] }] }]);
    assert.deepEqual(await exec(['get', 'text']), { out: 'text\n', err: '', code: 0 });
    assert.deepEqual(await exec(['get', 'nothing']), { out: '', err: '', code: 0 });
    assert.deepEqual(await exec(['get', 'later']), { out: 'later\n', err: '', code: 0 });
  });

  test('a function that throws, or answers nonsense, is an error of the command', async () => {
    const answers = { throws: () => Promise.reject(new Error('no database')), code: () => ({ code: 300 }), type: () => ({ stdout: 12 }) };
    cluster.containers.set([{ commands: [{ command: 'fail *', answer: ({ command }) => answers[command[1]]() }] }]);
    assert.deepEqual(await exec(['fail', 'throws']), { out: '', err: 'no database\n', code: 126 });
    assert.deepEqual(await exec(['fail', 'code']), { out: '', err: 'the answer is not valid: answer.code: must be a number from 0 to 255\n', code: 126 });
    assert.deepEqual(await exec(['fail', 'type']), { out: '', err: 'the answer is not valid: answer.out: must be a text\n', code: 126 });
  });

  test('in scripts: pipes, conditions, files; what is piped is its input', async () => {
    const stdins = [];
    cluster.containers.set([
      {
        commands: [
          { command: 'rows', answer: () => 'b\na\n' },
          { command: 'count', answer: ({ stdin }) => (stdins.push(stdin), `${stdin.split('\n').length - 1}\n`) },
          { command: 'check', answer: () => ({ code: 1 }) },
        ],
      },
    ]);
    const { out, err, code } = await exec(['sh', '-c', 'rows | sort; rows | count > /tmp/n; cat /tmp/n; check && echo no || echo "was $?"; exit 7']);
    assert.deepEqual({ out, err, code }, { out: 'a\nb\n2\nwas 1\n', err: '', code: 7 });
    assert.deepEqual(stdins, ['b\na\n']);
  });

  test('with `stdin`, the function gets what was typed, once it has ended', async () => {
    cluster.containers.set([
      {
        commands: [
          { command: 'upper', stdin: true, answer: ({ stdin }) => stdin.toUpperCase() },
          { command: 'now', answer: ({ stdin }) => `[${stdin}]\n` },
        ],
      },
    ]);
    assert.deepEqual(await exec(['upper'], {}, 'typed ü\n'), { out: 'TYPED Ü\n', err: '', code: 0 });
    assert.deepEqual(await exec(['now'], {}, 'typed\n'), { out: '[]\n', err: '', code: 0 });
  });

  test('at a terminal: it goes on after the answer, and Ctrl-C leaves what does not answer', async () => {
    let late;
    cluster.containers.set([{ commands: [{ command: 'hello', answer: () => 'hello\n' }, { command: 'hang', answer: () => new Promise((resolve) => (late = resolve)) }] }]);
    const session = open(['sh'], { tty: true });
    await session.type('hello\r');
    await session.shows(/hello\r\nhello\r\n\/ # $/);
    await session.type('hang\r');
    while (!late) await new Promise(setImmediate);
    await session.type('\x03');
    await session.shows(/\^C\r\n\/ # $/);
    late('too late\n');
    await session.type('echo $?; exit 0\r');
    const { out } = await session.ended;
    assert.match(out, /exit 0\r\n130\r\n$/);
    assert.doesNotMatch(out, /too late/);
  });

  test('arrows bring back lines; Ctrl-U, Ctrl-L and characters of several bytes are corrected', async () => {
    const session = open(['sh'], { tty: true });
    await session.type('echo one\r');
    await session.type('echo twoü\x7f\r');
    await session.shows(/two\r\n\/ # $/);
    await session.type('\x1b[A\x1b[A\x1b[B\x1b[C\r');
    await session.shows(/# echo two(?:\x08 \x08)+echo one(?:\x08 \x08)+echo two\r\ntwo\r\n\/ # $/);
    await session.type('nonsense\x15echo clean\x0c\r');
    await session.shows(/\x1b\[H\x1b\[2J\/ # echo clean\r\nclean\r\n/);
    await session.type('\x04');
    assert.equal((await session.ended).status.status, 'Success');
  });
});

describe('ports', () => {
  const get = async (target, init) => {
    const answer = await cluster.fetch(target, init);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  test('a function answers requests through the proxy, with every form of an answer', async () => {
    cluster.containers.set([
      {
        match: { name: 'web' },
        ports: [
          { port: 80, method: 'POST', answer: async (request, { pod, container, port }) => Response.json({ url: request.url, body: await request.text(), by: [pod.metadata.name, container, port], test: request.headers.get('x-test') }, { status: 201 }) },
          { port: 80, path: '/text', answer: () => 'a text' },
          { port: 80, path: '/parts', answer: () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' }) },
          { port: 80, path: '/throws', answer: () => Promise.reject(new Error('out of order')) },
          { port: 80, path: '/bytes', answer: () => new Response(new Uint8Array([0, 255, 128])) },
        ],
      },
    ]);
    const posted = await get(`${kPods}/web:80/proxy/some/path?q=1`, { method: 'POST', body: 'sent', headers: { 'x-test': 'yes' } });
    assert.deepEqual([posted.status, posted.type], [201, 'application/json']);
    const { url, ...rest } = JSON.parse(posted.text);
    assert.match(url, /^http:\/\/10\.[\d.]+\/some\/path\?q=1$/);
    assert.deepEqual(rest, { body: 'sent', by: ['web', 'main', 80], test: 'yes' });
    assert.deepEqual(await get(`${kPods}/web/proxy/text`), { status: 200, type: 'text/plain; charset=utf-8', text: 'a text' });
    assert.deepEqual(await get(`${kPods}/web/proxy/parts`), { status: 404, type: 'text/html', text: '<p>' });
    assert.deepEqual(await get(`${kPods}/web/proxy/throws`), { status: 502, type: 'text/plain; charset=utf-8', text: 'out of order\n' });
    const bytes = await (await cluster.fetch(`${kPods}/web/proxy/bytes`)).arrayBuffer();
    assert.deepEqual([...new Uint8Array(bytes)], [0, 255, 128]);
    assert.match((await get(`${kPods}/web/proxy/other`)).text, /"path":"\/other"/);
    assert.match((await get(`${kPods}/db/proxy/text`)).text, /"pod":"db"/);
  });

  test('and through a forwarded port, one request after the other', async () => {
    let count = 0;
    cluster.containers.set([{ ports: [{ port: 80, answer: async (request) => (await null, `${request.method} ${new URL(request.url).pathname} ${++count}`) }] }]);
    const socket = new (webSocketOf(cluster))(`ws://cluster${kPods}/web/portforward?ports=80`, ['v4.channel.k8s.io']);
    socket.binaryType = 'arraybuffer';
    await new Promise((resolve) => (socket.onopen = resolve));
    let text = '';
    const done = new Promise((resolve) => {
      socket.onclose = resolve;
      socket.onmessage = ({ data }) => (text += new Uint8Array(data)[0] === 0 ? new TextDecoder().decode(data.slice(1)) : '');
    });
    const request = (path, more = '') => new TextEncoder().encode(`\0GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`);
    socket.send(request('/a'));
    socket.send(request('/b', 'Connection: close\r\n'));
    await done;
    assert.match(text, /HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nGET \/a 1HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n\r\nGET \/b 2$/);
  });
});

describe('logs', () => {
  const log = async (query = '', pod = 'web', on = cluster) => (await on.fetch(`${kPods}/${pod}/log?container=main${query}`)).text();

  test('a function gives the lines of each run, once', async () => {
    const runs = [];
    cluster.containers.set([{ match: { container: 'main' }, log: (run) => (runs.push(run), [`of ${run.pod.metadata.name}`, { text: 'tick', after: '1s', every: '2s' }]) }]);
    assert.match(await log(), /^of web\ntick\n(tick\n)*$/);
    assert.match(await log('', 'db'), /^of db\n/);
    assert.equal(await log('&tailLines=1'), 'tick\n');
    assert.match(await log('&timestamps=true&limitBytes=28'), /^2026-01-01T00:00:\d\d(\.\d+)?Z of w/);
    assert.deepEqual(runs.map(({ pod, container, started }) => [pod.metadata.name, container, started instanceof Date]), [['web', 'main', true], ['db', 'main', true]]);
    assert.equal(await (await cluster.fetch(`${kPods}/web/log?container=side`)).text(), 'side runs b\n');
  });

  test('lines that come are followed', async () => {
    let next;
    cluster.containers.set([
      {
        log: async function* () {
          yield 'first';
          for (;;) yield await new Promise((resolve) => (next = resolve));
        },
      },
    ]);
    const reader = (await cluster.fetch(`${kPods}/web/log?container=main&follow=true`)).body.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await reader.read()).value, 'first\n');
    cluster.advance(500);
    next('second');
    await null;
    await new Promise(setImmediate);
    cluster.advance(1000);
    assert.equal((await reader.read()).value, 'second\n');
    await reader.cancel();
    assert.match(await log('&timestamps=true'), /Z first\n\S+Z second\n$/);
  });

  test('one iterable is one log for all; it is let go of with the rules', async () => {
    let returned = 0;
    let left = ['a', 'b'];
    const lines = {
      [Symbol.asyncIterator]: () => ({
        next: async () => (left.length > 0 ? { done: false, value: left.shift() } : new Promise(() => {})),
        return: async () => (returned++, { done: true }),
      }),
    };
    cluster.containers.set([{ log: lines }]);
    await log();
    await new Promise(setImmediate);
    assert.equal(await log(), 'a\nb\n');
    assert.equal(await log('', 'db'), 'a\nb\n');
    cluster.containers.set([]);
    assert.equal(returned, 1);
    assert.equal(await log(), 'main runs a\n');
  });

  test('a function that throws is a line', async () => {
    cluster.containers.set([{ log: () => { throw new Error('no lines'); } }]);
    assert.equal(await log(), 'no lines\n');
  });
});

test('get, reset, forks and the option', async () => {
  const answer = () => 'by the option\n';
  const own = await createCluster({ ...kOptions, containers: [{ commands: [{ command: 'who', answer }] }] });
  await fill(own);
  assert.equal((await exec(['who'], { on: own })).out, 'by the option\n');
  own.containers.set([{ commands: [{ command: 'who', answer: () => 'by the rules\n' }] }]);
  const fork = own.fork();
  own.containers.reset();
  assert.equal(own.containers.get()[0].commands[0].answer, answer);
  assert.equal((await exec(['who'], { on: own })).out, 'by the option\n');
  assert.equal((await exec(['who'], { on: fork })).out, 'by the rules\n');
  fork.containers.set('- commands: [{command: who, out: plain}]');
  assert.deepEqual(fork.containers.get(), [{ commands: [{ command: 'who', out: 'plain' }] }]);
  fork.dispose();
  own.dispose();
});

test('a rule that is wrong is refused as it was given, and the rules stay', () => {
  cluster.containers.set([{ commands: [{ command: 'a', answer: () => 'x' }] }]);
  const before = cluster.containers.get();
  assert.throws(() => cluster.containers.set([{ commands: [{ command: 'a', answer: () => 'x', out: 'y' }] }]), { name: 'TypeError', message: /rules\[0\]\.commands\[0\]\.out: is for the url to answer/ });
  assert.throws(() => cluster.containers.set([{ commands: [{ command: 'a', stdin: true }] }]), /rules\[0\]\.commands\[0\]\.stdin: is for an url/);
  assert.throws(() => cluster.containers.set([{ ports: [{ url: 'file:///x' }] }]), /rules\[0\]\.ports\[0\]\.url: must begin with http:\/\/ or https:\/\//);
  assert.throws(() => cluster.containers.set([{ log: {} }]), /rules\[0\]\.log\.url: must be given/);
  assert.deepEqual(cluster.containers.get(), before);
});

test('addresses are asked through fetchWebhook', async () => {
  const asked = [];
  const own = await createCluster({
    ...kOptions,
    fetchWebhook: async (request) => {
      asked.push([request.url, await request.json()]);
      return Response.json({ out: 'from there\n', code: 3 });
    },
    containers: '- commands: [{command: "far *", url: "http://somewhere/exec"}]',
  });
  await fill(own);
  assert.deepEqual(await exec(['far', 'away'], { on: own }), { out: 'from there\n', err: '', code: 3 });
  const [[url, { pod, ...rest }]] = asked;
  assert.deepEqual([url, pod.metadata.name, rest], ['http://somewhere/exec', 'web', { container: 'main', command: ['far', 'away'], in: '' }]);
  own.dispose();
});
