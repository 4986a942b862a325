// CRC-32 as zlib computes it, where there is no zlib.

const kTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = kTable[(sum ^ bytes[i]!) & 255]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
