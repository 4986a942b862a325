// Reads files of a Go module, since many projects publish their manifests nowhere else. The archive is kept in
// build/downloads, and its SHA-256 is checked.
import { join } from 'node:path';
import { archiveEntries, moduleArchive, NoProxy } from '../../tools/lib/go_module.mjs';
import { top } from './server.mjs';

const kDownloads = process.env.TABERNETES_CACHE ?? join(top, 'build', 'downloads');

/**
 * Returns the texts of a module's files whose paths match, as a Map by path. If no proxy can be reached, returns a text
 * with the reason.
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
