// Bytes and text, with the functions that Node and browsers share.

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param {string} text */
export const toUtf8 = (text) => encoder.encode(text);

/** Returns the text, or null if the bytes are not UTF-8. @param {Uint8Array} bytes */
export function fromUtf8(bytes) {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}

/** @param {string} text */
export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

/** Returns the body of an answer before compression. @param {[string, string][]} headers @param {Uint8Array} body */
export async function uncompressed(headers, body) {
  if (!body.length || !headers.some(([name, value]) => name.toLowerCase() === 'content-encoding' && value === 'gzip')) return body;
  const plain = new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** @param {Uint8Array[]} parts */
export function concat(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export function sameBytes(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Returns the text if the bytes are UTF-8, otherwise base64, for reports. @param {Uint8Array} bytes */
export function describeBytes(bytes) {
  const text = fromUtf8(bytes);
  return text === null || /[\0-\x08\x0e-\x1f]/.test(text) ? `base64 ${toBase64(bytes)}` : text;
}
