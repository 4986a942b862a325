// A client that speaks the API's protobuf with a library and definitions of its own (kubernetes.proto), independent of
// the server's implementation.
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

export const kProtobuf = 'application/vnd.kubernetes.protobuf';
/** The Accept header of client-go when it uses protobuf. */
export const kProtobufOrJson = `${kProtobuf},application/json`;
const kMagic = Buffer.from('k8s\0');
const root = protobuf.loadSync(fileURLToPath(new URL('kubernetes.proto', import.meta.url)));
const type = (kind) => root.lookupType(`kubernetes.${kind}`);
const kPlain = { longs: Number, bytes: String, arrays: false, objects: false };

/** Returns { apiVersion, kind } and the fields of the object in an envelope. */
export function readObject(bytes) {
  if (!Buffer.from(bytes.subarray(0, 4)).equals(kMagic)) throw new Error(`no protobuf object: ${Buffer.from(bytes)}`);
  const { typeMeta, raw } = type('Unknown').decode(bytes.subarray(4));
  const { apiVersion, kind } = typeMeta;
  return { apiVersion, kind, ...type(kind).toObject(type(kind).decode(raw), kPlain) };
}

export function writeObject({ apiVersion, kind, ...fields }) {
  const raw = type(kind).encode(type(kind).fromObject(fields)).finish();
  return Buffer.concat([kMagic, type('Unknown').encode({ typeMeta: { apiVersion, kind }, raw }).finish()]);
}

/** Sends an object and returns { status, object }. */
export async function call(server, method, path, body, headers = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: { accept: kProtobufOrJson, ...(body && { 'content-type': kProtobuf }), ...headers },
    body: body && writeObject(body),
  });
  if (response.headers.get('content-type') !== kProtobuf) throw new Error(`answered in ${response.headers.get('content-type')}`);
  return { status: response.status, object: readObject(new Uint8Array(await response.arrayBuffer())) };
}

/** Yields the events of a watch: { type, object }. */
export async function* watch(server, path, accept = `${kProtobuf};stream=watch`) {
  const gone = new AbortController();
  const response = await fetch(server.url + path, { headers: { accept }, signal: gone.signal });
  if (response.headers.get('content-type') !== `${kProtobuf};stream=watch`) throw new Error(`answered in ${response.headers.get('content-type')}`);
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of response.body) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
        const end = 4 + rest.readUInt32BE();
        const event = type('WatchEvent').decode(rest.subarray(4, end));
        rest = rest.subarray(end);
        yield { type: event.type, object: readObject(event.object.raw) };
      }
    }
    if (rest.length > 0) throw new Error('the watch ended within an event');
  } finally {
    gone.abort();
  }
}
