// Compiled against the installed package by install.test.mjs: the types must accept all of this.
import {
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
  type Cluster,
  type ApplyConflict,
  type ApplyOptions,
  type ApplyResult,
  type ClusterOptions,
  type FieldManager,
  type OwnedField,
  type PatchOptions,
  type RawRequest,
  type RawResponse,
  type Selector,
  type SelectorTerm,
  type SnapshotDocument,
  type Status,
  type WatchEvent,
} from 'tabernetes';
import { webSocketOf } from 'tabernetes/websocket';

const options: ClusterOptions = {
  load: ['apiVersion: v1', { kind: 'Namespace' }],
  seed: 1n,
  now: new Date(0),
  controllers: 'none',
  nodes: 2,
  featureGates: { WatchList: false },
  watchHistory: 60_000,
  wasm: new URL('https://example.com/tabernetes.wasm'),
};
const cluster: Cluster = await createCluster(options);
const transport: typeof globalThis.fetch = cluster.fetch;
const response: Response = await transport('/api/v1/pods', { signal: new AbortController().signal });
const request: RawRequest = { method: 'GET', target: '/version', headers: { accept: 'application/json' }, body: null };
const raw: RawResponse = await cluster.request(request);
const [name, value]: [string, string] = raw.headers[0]!;
const stream: ReadableStream<Uint8Array> | undefined = raw.stream;
await cluster.load({ kind: 'Namespace' }).catch((error: unknown) => {
  if (error instanceof LoadError) error.faults.map(({ document, message }) => `${document.toFixed()}${message.trim()}`);
});
cluster.advance(1);
const now: Date = cluster.now;
const fork: Cluster = cluster.fork();
const snapshot: SnapshotDocument = fork.snapshot();
fork.restore(snapshot);
fork.restore('{}');
fork.compact('7');
fork.compact();
fork.reset();
const again: Cluster = await createCluster({ snapshot });
for (const each of [cluster, fork, again]) each.dispose();

await ready({ wasm: '/tabernetes.wasm' });
const newest: string | undefined = ['1', '2'].sort(compareResourceVersions).at(-1);
const selector: Selector = parseSelector('app in (a,b)');
const terms: readonly SelectorTerm[] = parseFieldSelector('metadata.name=a').terms;
const selected: boolean = matches(selector, { app: 'a' }) || matches('app', { metadata: { labels: { app: 'a' } } });

interface ConfigMap {
  metadata: { name: string };
}
const encoded: Uint8Array<ArrayBuffer> = encode({ kind: 'ConfigMap' }, 'application/yaml', { fieldValidation: 'Strict' });
const decoded: ConfigMap = decode<ConfigMap>(encoded, 'application/yaml');
const events: WatchEvent<ConfigMap>[] = decode<ConfigMap>(encoded.buffer, 'application/vnd.kubernetes.protobuf;stream=watch');
const frames: Uint8Array = encode(events, 'application/json;stream=watch');
const patchOptions: PatchOptions = { contentType: 'application/merge-patch+json', manager: 'me', now: 0, onWarning: (text) => text.trim() };
const patched: ConfigMap = applyPatch(decoded, { data: null }, patchOptions);
const owned: OwnedField[] = fieldOwners(patched);
const managers: FieldManager[] = owned.flatMap((field) => field.managers);
const applyOptions: ApplyOptions = { manager: 'me', force: true, subresource: 'status' };
const result: ApplyResult<ConfigMap> = serverSideApply(patched, 'kind: ConfigMap', applyOptions);
const conflicts: ApplyConflict[] = result.conflicts;
const applied: ConfigMap = result.object ?? serverSideApply<ConfigMap>(null, decoded, { manager: result.status.message ?? '' }).object!;
// @ts-expect-error there is no such patch
applyPatch(decoded, {}, { contentType: 'application/json' });
const code = (error: unknown): number => (error instanceof StatusError ? error.status : ({ code: 0 } as Status)).code;

// @ts-expect-error there is no such option
await createCluster({ sed: 1 });
// @ts-expect-error it is read only
cluster.fetch = transport;

export { applied, code, conflicts, decoded, frames, managers, name, newest, now, response, selected, stream, terms, value };

const Socket: typeof globalThis.WebSocket = webSocketOf(cluster);
const socket: WebSocket = new Socket('/api/v1/pods?watch=true', ['base64.binary.k8s.io']);
socket.onmessage = ({ data }: MessageEvent<string>) => data.length;
