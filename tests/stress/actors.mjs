// Clients of the server, each active until `running()` is false. They check what they see at once.
import { configMaps, sleep, versionOf } from './api.mjs';

const configMap = (name, data, labels) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data });

/**
 * Uses optimistic concurrency: reads a counter, increments it and writes it back; repeats if another writer was faster.
 * Counts successes in `counter`, with the versions.
 */
export async function writer(api, counter, { running, random, pause }) {
  const path = `${configMaps(counter.namespace)}/${counter.name}`;
  let seen = 0;
  while (running()) {
    const object = await api.expect(200, 'GET', path);
    if (versionOf(object) < seen) throw new Error(`GET after a write gave version ${versionOf(object)}, the write had ${seen}`);
    object.data.count = String(Number(object.data.count) + 1);
    const { status, body } = await api.call('PUT', path, object);
    if (status === 409) {
      ++counter.conflicts;
      continue;
    }
    if (status !== 200) throw new Error(`PUT: ${status} ${body.message}`);
    seen = versionOf(body);
    ++counter.successes;
    counter.versions.push(seen);
    await sleep(pause * 2 * random());
  }
}

/** Keeps a collection changing: creates, changes and deletes objects. */
export async function churner(api, namespace, id, { running, random, pause }) {
  const mine = new Set();
  while (running()) {
    const name = `c${id}-${Math.floor(random() * 40)}`;
    const path = configMaps(namespace);
    if (!mine.delete(name)) {
      await api.expect(201, 'POST', path, configMap(name, { at: String(api.latest) }, { churner: `${id}` }));
      mine.add(name);
    } else if (random() < 0.5) {
      await api.expect(200, 'DELETE', `${path}/${name}`);
    } else {
      mine.add(name);
      const patch = { data: { at: String(api.latest) } };
      await api.expect(200, 'PUT', `${path}/${name}`, { ...configMap(name, patch.data) });
    }
    await sleep(pause * 2 * random());
  }
}

/** Reads a collection page by page while it changes. The pages must equal the list at the first page's version. */
export async function pager(api, namespace, counts, { running, random }) {
  const path = configMaps(namespace);
  while (running()) {
    const limit = 1 + Math.floor(random() * 30);
    const items = [];
    let version;
    for (let token = ''; token !== undefined; ) {
      const { status, body } = await api.call('GET', `${path}?limit=${limit}${token && `&continue=${encodeURIComponent(token)}`}`);
      if (status === 410 && version < api.compacted) break;
      if (status !== 200) throw new Error(`page at ${version}, compacted ${api.compacted}: ${status} ${body.message}`);
      version ??= versionOf(body);
      if (versionOf(body) !== version) throw new Error(`a page of ${version} has version ${versionOf(body)}`);
      items.push(...body.items);
      token = body.metadata.continue;
      if (token !== undefined) continue;
      const exact = await api.call('GET', `${path}?resourceVersion=${version}&resourceVersionMatch=Exact`);
      if (exact.status === 410 && version < api.compacted) break;
      if (exact.status !== 200) throw new Error(`Exact list at ${version}: ${exact.status} ${exact.body.message}`);
      if (JSON.stringify(items) !== JSON.stringify(exact.body.items)) {
        throw new Error(`pages of ${limit} at ${version} differ from the Exact list`);
      }
      ++counts.lists;
      counts.pages += Math.ceil(items.length / limit);
    }
  }
}

/** Fills a collection with objects of its own label and deletes it. */
export async function sweeper(api, namespace, id, counts, { running, random, pause }) {
  const path = configMaps(namespace);
  const selected = `${path}?labelSelector=sweeper%3D${id}`;
  for (let round = 0; running(); ++round) {
    const count = 1 + Math.floor(random() * 8);
    for (let i = 0; i < count; ++i) {
      await api.expect(201, 'POST', path, configMap(`s${id}-${round}-${i}`, {}, { sweeper: `${id}` }));
    }
    const before = await api.expect(200, 'GET', selected);
    if (before.items.length !== count) throw new Error(`${before.items.length} objects to sweep, not ${count}`);
    await api.expect(200, 'DELETE', selected);
    const after = await api.expect(200, 'GET', selected);
    if (after.items.length !== 0) throw new Error(`${after.items.length} objects were left by deletecollection`);
    counts.deleted += count;
    await sleep(pause * 2 * random());
  }
}

/** Requests future versions: the answer waits, for a few seconds at most. */
export async function waiter(api, namespace, counts, { running, random }) {
  while (running()) {
    const asked = api.latest + 1 + Math.floor(random() * 20);
    const { status, body } = await api.call('GET', `${configMaps(namespace)}?limit=1&resourceVersion=${asked}`);
    if (status === 504) continue;
    if (status !== 200) throw new Error(`not older than ${asked}: ${status} ${body.message}`);
    if (versionOf(body) < asked) throw new Error(`not older than ${asked} gave version ${versionOf(body)}`);
    ++counts.waited;
  }
}

/** Compacts to the version of two seconds ago. */
export async function compactor(api, counts, { running }) {
  while (running()) {
    const version = api.latest;
    await sleep(2000);
    if (!running()) return;
    api.compacted = version; // set before the request, as an answer may overtake it
    await api.expect(200, 'POST', '/-/tabernetes/compact', { resourceVersion: String(version) });
    ++counts.compactions;
  }
}
