// An answer as proofs look at it: `$status`, `$events[0].type`, `items[name=a].data.k`.
import type { Codec, HostAnswer } from './host';

export interface Watched {
  type: string;
  object: { metadata?: { name?: string } } & Record<string, unknown>;
}

export class Seen {
  status = 0;
  headers: [string, string][] = [];
  bytes: Uint8Array = new Uint8Array();
  events: Watched[] | undefined;
  /** Set once the stream is over. */
  ended = false;
  took = 0;
  /** Bytes on the way. */
  size = 0;
  #body: unknown;

  constructor(private readonly codec: Codec) {}

  header(name: string): string | undefined {
    return this.headers.find(([each]) => each.toLowerCase() === name)?.[1];
  }

  get type(): string {
    return this.header('content-type') ?? '';
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  /** The decoded body; undefined if it is none that can be decoded. */
  get body(): unknown {
    try {
      return (this.#body ??= this.type.startsWith('application/json') ? JSON.parse(this.text) : this.codec.decode(this.bytes, this.type));
    } catch {
      return undefined;
    }
  }

  /** Takes an answer whose body is whole, uncompressed. */
  async take({ status, headers, body }: HostAnswer): Promise<void> {
    this.status = status;
    this.headers = headers;
    this.bytes = this.header('content-encoding') === 'gzip' && body.length > 0 ? await gunzipped(body) : body;
    this.size = body.length;
  }

  /** Returns what a path leads to; undefined if it leads nowhere. */
  at(path: string): unknown {
    const segments = segmentsOf(path);
    const [first = ''] = segments;
    if (first.startsWith('$')) return follow(this.#special(first), segments.slice(1));
    if (first === 'rv') return follow(this.body, ['metadata', 'resourceVersion', ...segments.slice(1)]);
    if (first === 'names') return follow(this.body, ['items', '*', 'metadata', 'name']);
    return follow(this.body, segments);
  }

  #special(name: string): unknown {
    switch (name) {
      case '$status':
        return this.status;
      case '$body':
        return this.body;
      case '$text':
        return this.text;
      case '$size':
        return this.size;
      case '$took':
        return this.took;
      case '$hex':
        return [...this.bytes.slice(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
      case '$headers':
        return Object.fromEntries(this.headers.map(([each, value]) => [each.toLowerCase(), value]));
      case '$warnings':
        return this.headers.filter(([each]) => each.toLowerCase() === 'warning').map(([, value]) => value);
      case '$events':
        return this.events;
      case '$unknown':
        return unknownOf(this.bytes);
      default:
        throw new Error(`no such thing as ${name}`);
    }
  }
}

/** Splits `a.b[0]["c.d"][name=x][*]`. A selection keeps its `=`. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const [, plain, quoted, bracketed] of path.matchAll(/([^.[\]]+)|\["([^"]*)"\]|\[([^\]]*)\]/g)) {
    segments.push(quoted !== undefined ? `"${quoted}` : (plain ?? bracketed ?? ''));
  }
  return segments;
}

export function follow(value: unknown, [segment, ...rest]: readonly string[]): unknown {
  if (segment === undefined) return value;
  if (value === null || value === undefined) return undefined;
  if (segment === '*') {
    return Array.isArray(value) ? value.map((each) => follow(each, rest)) : Object.values(value).map((each) => follow(each, rest));
  }
  if (Array.isArray(value) && segment.includes('=')) {
    const [key = '', wanted] = segment.split('=');
    return follow(value.find((each) => String(follow(each, key.split('/'))) === wanted), rest);
  }
  const name = segment.startsWith('"') ? segment.slice(1) : segment;
  return follow((value as Record<string, unknown>)[name], rest);
}

async function gunzipped(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads Kubernetes' protobuf envelope: after four bytes, TypeMeta (1), the object (2), its encoding (3) and type (4). */
function unknownOf(bytes: Uint8Array): unknown {
  const fields = fieldsOf(bytes.slice(4));
  const text = (field: Uint8Array | undefined) => new TextDecoder().decode(field ?? new Uint8Array());
  const typeMeta = fieldsOf(fields[1] ?? new Uint8Array());
  return {
    apiVersion: text(typeMeta[1]),
    kind: text(typeMeta[2]),
    raw: text(fields[2]),
    contentEncoding: text(fields[3]),
    contentType: text(fields[4]),
  };
}

/** Returns the length-delimited fields of a message. */
function fieldsOf(bytes: Uint8Array): Record<number, Uint8Array> {
  const fields: Record<number, Uint8Array> = {};
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    if ((key & 7) !== 2) break;
    const length = varint();
    fields[key >> 3] = bytes.slice(at, (at += length));
  }
  return fields;
}
