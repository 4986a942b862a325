// Values in proofs: `<x.rv>` is the resourceVersion in the answer that is kept as x, `<x.rv+1>` the next one.
import { type Seen, segmentsOf, follow } from './answer';
import { type Codec } from './host';
import { type Json, longMediaType, shortObject } from './short-forms';

/** The kept answers of a proof, by name, and other values. */
export type Kept = Map<string, Seen | Json>;

const kReference = /<(\w+)((?:[.[][^>]*?)?)([-+*/]\d+)?>/g;

/** Returns what a reference stands for: a value, or the whole body of an answer. */
function lookUp(kept: Kept, name: string, path: string, change: string): unknown {
  const from = kept.get(name);
  if (from === undefined) throw new Error(`nothing is kept as ${name}`);
  const tail = path.replace(/^\./, '');
  const isSeen = 'at' in from && typeof from.at === 'function';
  const value = isSeen ? (tail === '' ? (from as Seen).body : (from as Seen).at(tail)) : follow(from, segmentsOf(tail));
  return change === '' ? value : changed(value, change);
}

function changed(value: unknown, change: string): unknown {
  const amount = BigInt(change.slice(1));
  const number = BigInt(value as string);
  const results = { '+': () => number + amount, '-': () => number - amount, '*': () => number * amount, '/': () => number / amount };
  const result = results[change[0] as keyof typeof results]();
  return typeof value === 'string' ? String(result) : Number(result);
}

/** Replaces references by their text; in a query they are escaped. */
export function filledText(kept: Kept, text: string, escape = false): string {
  return text.replace(kReference, (_, name: string, path: string, change: string = '') => {
    const value = lookUp(kept, name, path, change);
    const plain = typeof value === 'string' ? value : JSON.stringify(value);
    return escape ? encodeURIComponent(plain) : plain;
  });
}

/** Returns the value that a check compares with: a reference, JSON, or the text itself. */
export function valueOf(kept: Kept, text: string): unknown {
  const [whole, name = '', path = '', change = ''] = new RegExp(kReference.source).exec(text) ?? [];
  if (whole === text && whole !== undefined) return lookUp(kept, name, path, change);
  const filled = filledJson(kept, text);
  try {
    return JSON.parse(filled);
  } catch {
    return filledText(kept, text);
  }
}

/** Replaces references outside of quotes by JSON, those inside by text. */
function filledJson(kept: Kept, text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|<\w+[^>]*>/g, (part) => {
    if (part.startsWith('"')) return part.replace(kReference, (reference) => JSON.stringify(filledText(kept, reference)).slice(1, -1));
    return JSON.stringify(valueOf(kept, part));
  });
}

/** Returns a body as bytes or text: `{cm a} + {"data":{"k":"1"}} - spec`, `proto {cm a}`, `raw {"a":1,"a":2}`. */
export function bodyOf(kept: Kept, text: string, codec: Codec): Uint8Array | string {
  const [, format, rest = ''] = /^(raw|proto|cbor|odd) (.*)$/.exec(text) ?? [];
  if (format === 'raw') return filledText(kept, rest.replaceAll('\\n', '\n'));
  if (format === 'odd') {
    // An envelope of another format than the one that exists.
    const bytes = codec.encode(objectOf(kept, rest), longMediaType('proto')).slice();
    bytes[3] = 1;
    return bytes;
  }
  if (format !== undefined) {
    const kind = /^<(\w+)>$/.exec(rest);
    const seen = kind ? (kept.get(kind[1]!) as Seen | undefined) : undefined;
    return seen && 'bytes' in seen ? (seen as Seen).bytes : codec.encode(objectOf(kept, rest), longMediaType(format));
  }
  return JSON.stringify(objectOf(kept, text));
}

function objectOf(kept: Kept, text: string): Json {
  const [base = '', ...changes] = text.split(/ (?=[+-] )/);
  let object = shortObject(base) ?? (withShortForms(kept, base) as Json);
  for (const change of changes) {
    if (change.startsWith('- ')) object = without(object, segmentsOf(change.slice(2)));
    else object = merged(object, shortObject(change.slice(2)) ?? (withShortForms(kept, change.slice(2)) as Json)) as Json;
  }
  return object;
}

/** Reads JSON in which short objects may stand: `[{cm a},{cm b}]`. */
function withShortForms(kept: Kept, text: string): unknown {
  return valueOf(kept, text.replace(/\{[a-z]+ [\w-]+\}/g, (short) => JSON.stringify(shortObject(short))));
}

function merged(a: unknown, b: unknown): unknown {
  const isMap = (it: unknown): it is Json => typeof it === 'object' && it !== null && !Array.isArray(it);
  if (!isMap(a) || !isMap(b)) return b;
  return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, key in b ? merged(a[key], b[key]) : a[key]]));
}

function without(object: Json, [first = '', ...rest]: readonly string[]): Json {
  const { [first]: gone, ...others } = object;
  return rest.length === 0 ? others : { ...others, [first]: without(gone as Json, rest) };
}
