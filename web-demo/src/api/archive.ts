// Files as texts: also compressed ones, and those within tar archives, such as support bundles.

/** Returns the texts of a file: one, or those of the manifests within an archive. */
export async function textsOf(file: Blob & { name?: string }): Promise<string[]> {
  let bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = await gunzip(bytes);
  if (!isTar(bytes)) return [new TextDecoder().decode(bytes)];
  return entriesOf(bytes).filter(({ name }) => /\.(ya?ml|json)$/.test(name)).map(({ content }) => new TextDecoder().decode(content));
}

export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream('gzip'));
}

export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new CompressionStream('gzip'));
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Blob([bytes]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

const kBlock = 512;
const isTar = (bytes: Uint8Array) => bytes.length >= kBlock && new TextDecoder().decode(bytes.subarray(257, 262)) === 'ustar';

/** Returns the files of a tar archive. */
function entriesOf(bytes: Uint8Array): { name: string; content: Uint8Array }[] {
  const entries: { name: string; content: Uint8Array }[] = [];
  const text = (from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, '');
  for (let at = 0; at + kBlock <= bytes.length; ) {
    const name = text(at, 100);
    if (name === '') break;
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    const type = text(at + 156, 1);
    if (type === '' || type === '0') entries.push({ name: text(at + 345, 155) + name, content: bytes.subarray(at + kBlock, at + kBlock + size) });
    at += kBlock * (1 + Math.ceil(size / kBlock));
  }
  return entries;
}
