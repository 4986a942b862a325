// Downloads Go modules from a module proxy (GOPROXY, else proxy.golang.org) as one ZIP archive per version. Many
// projects publish their files nowhere else.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const kPatience = 120_000;

const proxies = () =>
  (process.env.GOPROXY ?? 'https://proxy.golang.org')
    .split(/[,|]/)
    .map((url) => url.trim().replace(/\/$/, ''))
    .filter((url) => url.startsWith('http'));

const sha256Of = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Thrown if no proxy can be reached or none has the module. */
export class NoProxy extends Error {}

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
  throw new NoProxy(troubles.join('; ') || 'GOPROXY names no proxy');
}

/**
 * Downloads a module's archive to the folder `cache` and returns its path. Throws a NoProxy if it is not available,
 * another Error if it is not the pinned file.
 */
export async function moduleArchive({ module, version, sha256 }, cache) {
  const file = join(cache, sha256);
  if (existsSync(file)) return file;
  const name = module.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
  const zip = await download(`${name}/@v/${version}.zip`);
  if (sha256Of(zip) !== sha256) throw new Error(`${module}@${version} is not what it was`);
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, zip);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** Yields the files of a module's archive: the path in the module, and read(), which returns the bytes. */
export function* archiveEntries(file) {
  const zip = readFileSync(file);
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
    // All entries are in a folder MODULE@VERSION, whose name contains slashes.
    const path = name.slice(name.indexOf('/', name.indexOf('@')) + 1);
    yield { path, read: () => (method === 0 ? stored : inflateRawSync(stored)) };
    at += 46 + nameSize + extra + comment;
  }
}
