// Compresses bodies with the platform's CompressionStream.

/** True in current versions of Node.js, browsers and workers. Elsewhere answers are sent uncompressed. */
// Not `typeof`, which makes Node.js load all its streams.
export const canCompress = 'CompressionStream' in globalThis;

export async function gzip(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
