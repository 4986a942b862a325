// Compressed bodies, by what the platform has.

/** Node.js, browsers and workers of today do. Where it is missing, answers are sent as they are. */
export const canCompress = typeof CompressionStream === 'function';

export async function gzip(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
