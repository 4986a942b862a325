// Files of a Go module: many projects publish their manifests only there. A module is kept in build/downloads, and is
// what it was when this was written: its SHA-256 is checked.
import { join } from 'node:path';
import { archiveEntries, moduleArchive, NoProxy } from '../../tools/lib/go_module.mjs';
import { top } from './server.mjs';

const kDownloads = process.env.TABERNETES_CACHE ?? join(top, 'build', 'downloads');

/**
 * The texts of a module's files whose paths in it match: a Map by path. Where no proxy can be reached, a text that says
 * why.
 */
export async function moduleFiles(pinned, pattern) {
  const files = new Map();
  try {
    for (const { path, read } of archiveEntries(await moduleArchive(pinned, kDownloads))) {
      if (pattern.test(path)) files.set(path, read().toString('utf8'));
    }
  } catch (error) {
    if (error instanceof NoProxy) return error.message;
    throw error;
  }
  return files;
}
