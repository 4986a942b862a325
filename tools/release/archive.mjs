// Reproducible archives: members in order, one time, one owner, no name in gzip's header.
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from '../lib/run.mjs';
import { epoch } from './commit.mjs';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
export const gzip = (bytes) => gzipSync(bytes, { level: 9 });

/** Sets the modes below `folder` regardless of the umask: 755 for folders and programs, 644 otherwise. */
export function settleModes(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

/** Writes `names` of `folder` (by default its whole content) as a plain tar file. */
export async function tar(file, folder, names = readdirSync(folder).sort()) {
  settleModes(folder);
  const same = ['--sort=name', '--format=ustar', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner'];
  await run('tar', [...same, '-C', folder, '-cf', file, ...names], { quiet: true });
}

/** Writes the same, compressed by gzip. */
export async function tarGz(file, folder, names) {
  await tar(`${file}.tar`, folder, names);
  const bytes = gzip(readFileSync(`${file}.tar`));
  writeFileSync(file, bytes);
  await run('rm', [`${file}.tar`]);
}
