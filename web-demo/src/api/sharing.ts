// A cluster in a link: its snapshot without what is made again, compressed, after the `#`.
import { gunzip, gzip } from './archive';

const kParameter = 'state';
/** Characters. Longer links are cut by programs that pass them on. */
export const kMostLink = 60_000;

/** Kinds that come again by themselves, or tell only of the past. */
const kLeftOut = new Set(['Event', 'Lease']);

interface Snapshot {
  objects: { kind: string; metadata: { managedFields?: unknown } }[];
}

/** Resolves with the address of a page that shows this cluster as a fork. */
export async function linkOf(snapshot: string, page: string): Promise<string> {
  const document = JSON.parse(snapshot) as Snapshot;
  const objects = document.objects.filter(({ kind }) => !kLeftOut.has(kind));
  for (const { metadata } of objects) delete metadata.managedFields;
  const bytes = await gzip(new TextEncoder().encode(JSON.stringify({ ...document, objects })));
  return `${page.split('#')[0]}#/v1/pods?${kParameter}=${base64url(bytes)}`;
}

/** Resolves with the snapshot in the part of an address after the `#`; undefined if there is none. Rejects if it cannot be read. */
export async function snapshotIn(hash: string): Promise<string | undefined> {
  const given = new URLSearchParams(hash.split('?')[1] ?? '').get(kParameter);
  if (!given) return undefined;
  const binary = atob(given.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(await gunzip(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
