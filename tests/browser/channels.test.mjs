// How the page reads connections to containers: channels, exit codes and refusals, with a cluster that is made up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageModule } from '../concepts/tour_code.mjs';

const { containersOf, execTarget, logTarget, runIn } = await pageModule('api/containers.ts');
const { Client } = await pageModule('api/client.ts');
const { ExchangeLog } = await pageModule('api/exchange.ts');
const { PageTransport } = await pageModule('cluster/page-transport.ts');

const kPod = '/api/v1/namespaces/default/pods/a';
const kExit = (code) => ({ status: 'Failure', reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message: code }] } });

/** A client of a cluster that answers each connection with these messages: the number of a channel and a text. */
function clientOf(messages, asked = []) {
  const bytes = messages.map(([channel, text]) => Uint8Array.of(channel, ...(typeof text === 'string' ? new TextEncoder().encode(text) : text)));
  const request = async (given) => {
    asked.push(given);
    return { status: 101, headers: [], body: new Uint8Array(), stream: ReadableStream.from(bytes), send: () => {} };
  };
  return new Client(new PageTransport({ request }), new ExchangeLog());
}

async function run(client) {
  let [out, err] = ['', ''];
  const exit = await runIn(client, kPod, 'web', ['sh', '-c', 'x y'], { out: (text) => void (out += text), err: (text) => void (err += text) });
  return { out, err, ...exit };
}

test('output, errors and the exit code are told apart; a character may come in two messages', async () => {
  const asked = [];
  const client = clientOf([[1, 'a'], [2, 'b'], [1, [0xc3]], [1, [0xa4]], [3, JSON.stringify(kExit('3'))]], asked);
  assert.deepEqual(await run(client), { out: 'aä', err: 'b', code: 3 });
  assert.equal(asked[0].target, `${kPod}/exec?command=sh&command=-c&command=x+y&container=web&stdout=true&stderr=true`);
  assert.equal(new Map(asked[0].headers).get('sec-websocket-protocol'), 'v5.channel.k8s.io');
  const [exchange] = client.log.exchanges;
  assert.equal(exchange.status, 101);
  assert.deepEqual(exchange.events.slice(0, 2).map(({ text }) => text), ['output: a', 'errors: b']);
});

test('success, a command that did not start, and an end without a word', async () => {
  assert.deepEqual(await run(clientOf([[3, '{"status":"Success"}']])), { out: '', err: '', code: 0 });
  const fault = { status: 'Failure', reason: 'InternalError', message: 'no such container' };
  assert.deepEqual(await run(clientOf([[3, JSON.stringify(fault)]])), { out: '', err: '', code: 1, message: 'no such container' });
  assert.deepEqual(await run(clientOf([[1, 'a']])), { out: 'a', err: '', code: 0, message: 'The connection ended without a status.' });
});

test('a refusal is the answer of the cluster', async () => {
  const body = new TextEncoder().encode(JSON.stringify({ kind: 'Status', code: 403, message: 'pods "a" is forbidden' }));
  const request = async () => ({ status: 403, headers: [['Content-Type', 'application/json']], body });
  const connection = new PageTransport({ request }).connect({ method: 'GET', target: execTarget(kPod, 'web', ['ls']), headers: [], body: '' });
  const { answer } = await connection.then(assert.fail, (refused) => refused);
  assert.equal(answer.status, 403);
  assert.match(answer.text, /pods \\"a\\" is forbidden/);
});

test('a persona is named in the headers', async () => {
  const asked = [];
  await run(clientOf([[3, '{"status":"Success"}']], asked).as({ user: 'jane', groups: ['viewers'] }));
  assert.deepEqual([...asked[0].headers].slice(0, 2), [['Impersonate-User', 'jane'], ['Impersonate-Group', 'viewers']]);
});

test('containers of all kinds, and targets', () => {
  const pod = { spec: { containers: [{ name: 'a', ports: [{ containerPort: 80 }] }], initContainers: [{ name: 'b' }], ephemeralContainers: [{ name: 'c', stdin: true }] } };
  assert.deepEqual(containersOf(pod).map(({ name, kind, stdin }) => [name, kind, stdin]), [['a', 'container', false], ['b', 'init', false], ['c', 'ephemeral', true]]);
  assert.equal(logTarget(kPod, { container: 'a', follow: false, tailLines: '' }), `${kPod}/log?container=a`);
  assert.equal(execTarget(kPod, '', ['ls'], { stdin: true }), `${kPod}/exec?command=ls&stdin=true&stdout=true&stderr=true`);
});
