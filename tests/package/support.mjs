// Shared by the tests of the package: the built package, small objects, readers of watches.
import { fileURLToPath } from 'node:url';

export {
  applyPatch,
  compareResourceVersions,
  createCluster,
  decode,
  encode,
  fieldOwners,
  LoadError,
  matches,
  parseFieldSelector,
  parseSelector,
  ready,
  serverSideApply,
  StatusError,
} from '../../dist/index.js';

export const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

export const kReproducible = { seed: 1, now: '2026-01-01T00:00:00Z', controllers: 'none', scheduler: false };

export const kConfigMaps = '/api/v1/namespaces/default/configmaps';

export const configMap = (name, data = { key: 'value' }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** Sends an object with `cluster.fetch` without a content type, as the README does. */
export const create = (cluster, object, collection = kConfigMaps) =>
  cluster.fetch(collection, { method: 'POST', body: JSON.stringify(object) });

export const text = (bytes) => new TextDecoder().decode(bytes);

/** Returns a function that reads the events of a watch's body one by one; null at its end. */
export function eventReader(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const lines = [];
  return async () => {
    while (lines.length === 0) {
      const { done, value } = await reader.read();
      if (done) return null;
      const parts = (rest + value).split('\n');
      rest = parts.pop();
      lines.push(...parts);
    }
    return JSON.parse(lines.shift());
  };
}
