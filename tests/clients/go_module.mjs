// Files of a Go module from the module proxy (GOPROXY, else proxy.golang.org): many projects publish their manifests
// only there. A module is kept in build/downloads, and is what it was when this was written: its SHA-256 is checked.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { top } from './server.mjs';

const kDownloads = process.env.TABERNETES_CACHE ?? join(top, 'build', 'downloads');
const kPatience = 60_000;

const proxies = () =>
  (process.env.GOPROXY ?? 'https://proxy.golang.org')
    .split(/[,|]/)
    .map((url) => url.trim().replace(/\/$/, ''))
    .filter((url) => url.startsWith('http'));

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex');

async function download(path) {
  const troubles = [];
  for (const proxy of proxies()) {
    try {
      const answer = await fetch(`${proxy}/${path}`, { signal: AbortSignal.timeout(kPatience) });
      if (answer.ok) return Buffer.from(await answer.arrayBuffer());
      troubles.push(`${proxy} answers ${answer.status}`);
    } catch (error) {
      troubles.push(`${proxy}: ${error.cause?.message ?? error.message}`);
    }
  }
  return troubles.join('; ') || 'GOPROXY names no proxy';
}

/** The entries of a ZIP archive: { name, read() }. */
function* entriesOf(zip) {
  const kEnd = 0x06054b50;
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== kEnd) --end;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; --left) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [nameSize, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameSize);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const stored = zip.subarray(begin, begin + size);
    yield { name, read: () => (method === 0 ? stored : inflateRawSync(stored)).toString('utf8') };
    at += 46 + nameSize + extra + comment;
  }
}

/**
 * The texts of a module's files whose paths in it match: a Map by path. Where no proxy can be reached, a text that says
 * why.
 */
export async function moduleFiles({ module, version, sha256 }, pattern) {
  const file = join(kDownloads, sha256);
  if (!existsSync(file)) {
    const name = module.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
    const zip = await download(`${name}/@v/${version}.zip`);
    if (typeof zip === 'string') return zip;
    if (sha256Of(zip) !== sha256) throw new Error(`${module}@${version} is not what it was`);
    mkdirSync(kDownloads, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, zip);
    renameSync(`${file}.${process.pid}`, file);
  }
  const files = new Map();
  const prefix = `${module}@${version}/`;
  for (const { name, read } of entriesOf(readFileSync(file))) {
    const path = name.slice(prefix.length);
    if (pattern.test(path)) files.set(path, read());
  }
  return files;
}
