// Objects in the encodings of the API, without a server.
import type { Glue } from './glue.js';
import { callShared } from './shared.js';

/**
 * Anything that names its kind.
 *
 * ```ts
 * const object: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
 * ```
 */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  [field: string]: unknown;
}

/**
 * An event of a watch.
 *
 * ```ts
 * const event: WatchEvent = { type: 'ADDED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } };
 * ```
 */
export interface WatchEvent<T extends object = KubernetesObject> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR' | (string & {});
  object: T;
}

/**
 * A media type of watches: its bytes are events.
 *
 * ```ts
 * const type: WatchMediaType = 'application/vnd.kubernetes.protobuf;stream=watch';
 * ```
 */
export type WatchMediaType = `${string};stream=watch` | 'application/cbor-seq';

/**
 * What the server answers when something is not right.
 *
 * ```ts
 * const status: Status = await response.json();
 * ```
 */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    causes?: { reason?: string; message?: string; field?: string }[];
    retryAfterSeconds?: number;
  };
  code: number;
}

/**
 * Tells why something could not be read or written, as the server would have told it.
 *
 * ```ts
 * try {
 *   decode(bytes, 'application/yaml');
 * } catch (error) {
 *   if (error instanceof StatusError) console.log(error.status.code, error.status.reason);
 * }
 * ```
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(readonly status: Status) {
    super(status.message);
  }
}

/**
 * ```ts
 * decode(manifest, 'application/yaml', { fieldValidation: 'Strict' });
 * ```
 */
export interface EncodingOptions {
  /** What to do with fields that a built-in kind does not have: `Ignore` drops them, `Strict` throws. */
  fieldValidation?: 'Ignore' | 'Strict';
}

/**
 * An object as the bytes of a request or an answer, exactly as the server writes them: in `application/json`
 * (`;pretty=1` indents), `application/yaml`, `application/vnd.kubernetes.protobuf` or `application/cbor`; events of a
 * watch in one of these with `;stream=watch`, or as `application/cbor-seq`. Fields of a built-in kind (of lists, Status, Table and PartialObjectMetadata too) come in its
 * order, and those that it does not have are dropped. Other kinds have no protobuf form. Throws a StatusError.
 *
 * ```ts
 * const body = encode({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }, 'application/vnd.kubernetes.protobuf');
 * ```
 */
export function encode(events: readonly WatchEvent<object>[], mediaType: WatchMediaType, options?: EncodingOptions): Uint8Array<ArrayBuffer>;
export function encode(object: object, mediaType: string, options?: EncodingOptions): Uint8Array<ArrayBuffer>;
export function encode(object: object, mediaType: string, options?: EncodingOptions): Uint8Array<ArrayBuffer> {
  return convert(JSON.stringify(object), mediaType, options, 'encode');
}

/**
 * The object in the bytes of a request or an answer, in any media type that `encode` knows: the other way round. Whole
 * frames of a watch, as the chunks of `cluster.fetch` are, become its events. Throws a StatusError.
 *
 * ```ts
 * const pods = decode(await response.bytes(), response.headers.get('content-type'));
 * ```
 */
export function decode<T extends object = KubernetesObject>(bytes: Bytes, mediaType: WatchMediaType, options?: EncodingOptions): WatchEvent<T>[];
export function decode<T extends object = KubernetesObject>(bytes: Bytes, mediaType: string, options?: EncodingOptions): T;
export function decode(bytes: Bytes, mediaType: string, options?: EncodingOptions): unknown {
  const text = convert(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes, mediaType, options, 'decode');
  return JSON.parse(new TextDecoder().decode(text));
}

type Bytes = Uint8Array | ArrayBuffer | string;

function convert(
  input: Uint8Array | string,
  mediaType: string,
  { fieldValidation = 'Ignore' }: EncodingOptions = {},
  way: keyof Pick<Glue, 'encode' | 'decode'>,
): Uint8Array<ArrayBuffer> {
  const { failure, bytes } = callShared((instance) => {
    const failure = instance.core[way](instance.write(input), String(mediaType), fieldValidation === 'Strict');
    return { failure, bytes: instance.takeOutput() };
  });
  if (failure !== '') throw new StatusError(JSON.parse(failure) as Status);
  return bytes;
}
