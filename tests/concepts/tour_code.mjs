// The tour's own code and data, for Node.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

export const top = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the exports of a TypeScript module of the page. */
export async function pageModule(path) {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-page-'));
  const outfile = join(folder, 'module.mjs');
  buildSync({ entryPoints: [join(top, 'web-demo', 'src', path)], bundle: true, format: 'esm', platform: 'neutral', mainFields: ['module', 'main'], outfile, logLevel: 'error' });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const exercisesText = () => readFileSync(join(top, 'web-demo', 'tour', 'exercises.yaml'), 'utf8');

/** Returns the texts of the tour by file name. */
export function tourFiles() {
  const folder = join(top, 'web-demo', 'tour');
  const names = readdirSync(folder).filter((name) => /^\d.*\.yaml$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
