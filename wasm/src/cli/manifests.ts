// Loads the manifests of --load: files, folders, standard input.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Cluster } from '../cluster.js';
import { LoadError } from '../load.js';

export interface ManifestFile {
  /** The name shown to the user: the path, or `-`. */
  name: string;
  text: string;
}

/**
 * Reads the files of `paths`; folders at any depth, in the order of their paths. Adds a line to `problems` for each
 * problem.
 */
export function readManifests(paths: readonly string[], problems: string[]): ManifestFile[] {
  const manifests: ManifestFile[] = [];
  for (const path of paths) {
    try {
      const files = path === '-' || !statSync(path).isDirectory() ? [path] : manifestsBelow(path);
      for (const file of files) manifests.push({ name: file, text: readFileSync(file === '-' ? 0 : file, 'utf8') });
    } catch (error) {
      problems.push(`${path}: ${systemMessage(error)}`);
    }
  }
  return manifests;
}

function manifestsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ['.yaml', '.yml', '.json'].includes(extname(name)))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/**
 * Creates all objects. One may need an object of a later manifest, such as its namespace, so manifests that fail are
 * tried again as long as a round makes progress. Returns the errors, one line each.
 */
export async function loadManifests(cluster: Cluster, manifests: readonly ManifestFile[]): Promise<string[]> {
  let pending = manifests;
  let problems: string[] = [];
  let before = Infinity;
  for (;;) {
    problems = [];
    const failed: ManifestFile[] = [];
    for (const manifest of pending) {
      try {
        await cluster.load(manifest.text);
      } catch (error) {
        if (!(error instanceof LoadError)) throw error;
        failed.push(manifest);
        for (const fault of error.faults) problems.push(`${manifest.name}: document ${fault.document}: ${fault.message}`);
      }
    }
    if (problems.length === 0 || problems.length >= before) return problems;
    before = problems.length;
    pending = failed;
  }
}

/** Extracts `No such file or directory` from Node's `ENOENT: no such file or directory, open 'x'`. */
export function systemMessage(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'EISDIR') return 'Is a directory'; // libuv words this differently
  const text = (error as Error).message.replace(/^[A-Z]+: /, '').replace(/, \w+( '.*')?$/, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
