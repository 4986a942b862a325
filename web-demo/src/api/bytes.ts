// Bodies as text: binary ones as a dump of their bytes.

const kMostDumped = 16_384;
const kText = /json|yaml|text|xml|javascript|^$/;

/** Returns the text of a body, or a dump if its type or its encoding is binary. */
export function bodyText(bytes: Uint8Array, headers: readonly (readonly [string, string])[]): string {
  const header = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
  const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!gzip && kText.test(header('content-type'))) return new TextDecoder().decode(bytes);
  return `${bytes.length} bytes\n\n${dump(bytes.subarray(0, kMostDumped))}${bytes.length > kMostDumped ? '…\n' : ''}`;
}

/** Returns lines of 16 bytes, `00000000  6b 38 73 00 …  |k8s.…|`. */
function dump(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 16) {
    const line = [...bytes.subarray(at, at + 16)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const shown = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    text += `${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  |${shown}|\n`;
  }
  return text;
}
