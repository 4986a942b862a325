// The little suite that every way to a cluster passes. It imports nothing of this project, so that it can be copied to where the
// way to try is.
import assert from 'node:assert/strict';

export const kPods = '/api/v1/namespaces/default/pods';
export const pod = (name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'main', image: 'nginx' }] } });

/** Ends a test that waits for what does not come. */
export const soon = (promise, what) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(`${what} does not come`)), 20_000).unref?.())]);

/** Runs the little suite with `fetch` at `base`: CRUD, apply, watches with and without events, an abort. */
export async function littleSuite(fetch, base) {
  const json = { 'content-type': 'application/json' };
  const created = await fetch(`${base}${kPods}`, { method: 'POST', headers: json, body: JSON.stringify(pod('web')) });
  assert.equal(created.status, 201);
  assert.equal((await created.json()).metadata.name, 'web');
  const list = await (await fetch(`${base}${kPods}`)).json();
  assert.deepEqual([list.kind, list.items.length], ['PodList', 1]);
  assert.equal((await fetch(`${base}${kPods}/nobody`)).status, 404);

  const applied = await fetch(`${base}/api/v1/namespaces/default/configmaps/a?fieldManager=me`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "1"}\n',
  });
  assert.equal(applied.status, 201);

  // The headers of a watch without events come at once.
  const left = new AbortController();
  const empty = await soon(fetch(`${base}/api/v1/secrets?watch=1&resourceVersion=${list.metadata.resourceVersion}`, { signal: left.signal }), 'an empty watch');
  assert.equal(empty.status, 200);
  const nothing = readAll(empty.body.getReader());
  left.abort();
  await soon(assert.rejects(nothing), 'the end of an aborted watch');

  const { resourceVersion } = (await applied.json()).metadata;
  const watch = await fetch(`${base}/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=${resourceVersion}`);
  const next = eventReader(watch.body);
  assert.equal((await fetch(`${base}/api/v1/namespaces/default/configmaps/a`, { method: 'DELETE' })).status, 200);
  const { type, object } = await soon(next(), 'an event');
  assert.deepEqual([type, object.metadata.name], ['DELETED', 'a']);
  void next.cancel(); // MSW makes two of every body, and never says that one has been cancelled
}

async function readAll(reader) {
  for (;;) if ((await reader.read()).done) return;
}

/** Returns a function that reads the events of a watch one by one. */
export function eventReader(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async () => {
    while (!text.includes('\n')) {
      const { done, value } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
    const end = text.indexOf('\n');
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return JSON.parse(line);
  };
  return Object.assign(next, { cancel: () => reader.cancel().catch(() => {}) });
}

/** Opens a WebSocket watch, sees one event, closes. */
export async function socketSuite(WebSocket, base, cluster) {
  const socket = new WebSocket(`${base}/api/v1/configmaps?watch=1`, ['base64.binary.k8s.io']);
  const messages = [];
  let heard;
  socket.onmessage = ({ data }) => (messages.push(JSON.parse(data)), heard?.());
  await soon(new Promise((resolve, reject) => ((socket.onopen = resolve), (socket.onerror = () => reject(new Error('the socket failed'))))), 'the connection');
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'by-socket' } });
  await soon((async () => {
    while (!messages.some(({ object }) => object.metadata.name === 'by-socket')) await new Promise((resolve) => (heard = resolve));
  })(), 'a message');
  const closed = new Promise((resolve) => (socket.onclose = resolve));
  socket.close();
  await soon(closed, 'the close');
}
