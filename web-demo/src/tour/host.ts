// What a proof needs of a cluster, so that the same proofs run on a server, in Node and in this page.

export interface HostRequest {
  method: string;
  target: string;
  headers: [string, string][];
  body?: Uint8Array | string;
  signal?: AbortSignal;
}

export interface HostAnswer {
  status: number;
  headers: [string, string][];
  body: Uint8Array;
  /** The body of a watch. */
  stream?: ReadableStream<Uint8Array>;
}

/** A cluster of a proof's own, with the namespaces t and u. */
export interface ProofHost {
  request(request: HostRequest): Promise<HostAnswer>;
  advance(milliseconds: number): Promise<void>;
  compact(): Promise<void>;
  corrupt(path: string): Promise<void>;
}

/** The plain functions of the package. */
export interface Codec {
  encode(object: object, mediaType: string): Uint8Array;
  decode(bytes: Uint8Array, mediaType: string): unknown;
  compareResourceVersions(a: string, b: string): number;
}
