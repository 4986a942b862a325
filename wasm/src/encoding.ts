// Encodes and decodes objects as the API does, without a server.
import type { Glue } from './glue.js';
import { checkNames } from './option-names.js';
import { callShared } from './shared.js';

/**
 * Any object that names its kind.
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
 * A Kubernetes Status, with which the server answers failed requests.
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
 * The server's error for input that cannot be read or written.
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
 * Options of `encode` and `decode`.
 *
 * ```ts
 * decode(manifest, 'application/yaml', { fieldValidation: 'Strict' });
 * ```
 */
export interface EncodingOptions {
  /** Treatment of fields that a built-in kind does not have: `Ignore` drops them, `Strict` throws. */
  fieldValidation?: 'Ignore' | 'Strict';
}

/**
 * Returns an object as the bytes of a request or an answer, exactly as the server writes them. Media types:
 * `application/json` (`;pretty=1` indents), `application/yaml`, `application/vnd.kubernetes.protobuf` and
 * `application/cbor`; with `;stream=watch`, or as `application/cbor-seq`, the events of a watch. Fields of a built-in
 * kind (also of lists, Status, Table and PartialObjectMetadata) are written in the kind's order, and fields that it
 * does not have are dropped. Other kinds cannot be written as protobuf. Throws a StatusError.
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
 * Returns the object in the bytes of a request or an answer, in any media type that `encode` writes. Whole frames of a
 * watch, such as the chunks of `cluster.fetch`, return their events. Throws a StatusError.
 *
 * ```ts
 * const pods = decode(await response.bytes(), response.headers.get('content-type')!);
 * ```
 */
export function decode<T extends object = KubernetesObject>(bytes: Bytes, mediaType: WatchMediaType, options?: EncodingOptions): WatchEvent<T>[];
export function decode<T extends object = KubernetesObject>(bytes: Bytes, mediaType: string, options?: EncodingOptions): T;
export function decode(bytes: Bytes, mediaType: string, options?: EncodingOptions): unknown {
  const text = convert(typeof bytes === 'string' || ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes), mediaType, options, 'decode');
  return JSON.parse(new TextDecoder().decode(text));
}

type Bytes = Uint8Array | ArrayBuffer | string;

function convert(
  input: Uint8Array | string,
  mediaType: string,
  options: EncodingOptions = {},
  way: keyof Pick<Glue, 'encode' | 'decode'>,
): Uint8Array<ArrayBuffer> {
  checkNames(way, options, ['fieldValidation']);
  const { fieldValidation = 'Ignore' } = options;
  const { failure, bytes } = callShared((instance) => {
    const failure = instance.core[way](instance.write(input), String(mediaType), fieldValidation === 'Strict');
    return { failure, bytes: instance.takeOutput() };
  });
  if (failure !== '') throw new StatusError(JSON.parse(failure) as Status);
  return bytes;
}
