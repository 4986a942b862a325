// Stored changes on their way into the core: packed in pieces, as wasm/backend.cc reads them.
import type { StoredChange } from './backend.js';
import type { Instance } from './instance.js';

/** The sizes of the numbers before the bytes of a change: revision, time, size of the key, size of the value. */
const kHead = 8 + 8 + 4 + 4;
const kNoValue = 0xffffffff;
/** A piece grows no larger, unless a change does. */
const kPiece = 1 << 20;

const encoder = new TextEncoder();

/** Hands changes to the core, which keeps them for its next call. */
export function giveChanges(instance: Instance, changes: Iterable<StoredChange>): void {
  let piece: Uint8Array[] = [];
  let size = 0;
  const give = () => {
    let at = 0;
    for (const part of piece) at += instance.write(part, at);
    instance.core.giveChanges(size);
    piece = [];
    size = 0;
  };
  for (const change of changes) {
    const parts = packed(change);
    piece.push(...parts);
    for (const part of parts) size += part.length;
    if (size >= kPiece) give();
  }
  if (size > 0) give();
  instance.dropInput();
}

function packed({ key, revision, time, value }: StoredChange): Uint8Array[] {
  const name = encoder.encode(key);
  const head = new DataView(new ArrayBuffer(kHead));
  head.setBigUint64(0, revision, true);
  head.setBigInt64(8, time, true);
  head.setUint32(16, name.length, true);
  head.setUint32(20, value ? value.length : kNoValue, true);
  return [new Uint8Array(head.buffer), name, ...(value ? [value] : [])];
}
