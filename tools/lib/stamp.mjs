// Remembers steps, so that one is skipped if none of its inputs have changed since it ran.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './top.mjs';

const stampOf = (name) => join(top, 'build', 'stamps', name);

function add(hash, path) {
  const file = join(top, path);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) for (const name of readdirSync(file).sort()) add(hash, join(path, name));
  else hash.update(`${path} ${stat ? `${stat.size} ${stat.mtimeMs}` : 'missing'}\n`);
}

/** Returns a text that changes with the sizes and times of the files and folders `inputs`, paths from the top. */
export function fingerprint(inputs) {
  const hash = createHash('sha256');
  for (const path of inputs) add(hash, path);
  return hash.digest('hex');
}

/** Returns true if step `name` ran with these inputs and its outputs exist. */
export function isFresh(name, inputs, outputs) {
  const stamp = stampOf(name);
  if (!existsSync(stamp) || !outputs.every((path) => existsSync(join(top, path)))) return false;
  return readFileSync(stamp, 'utf8') === fingerprint(inputs);
}

/** Records that step `name` has run with these inputs. */
export function markFresh(name, inputs) {
  mkdirSync(join(top, 'build', 'stamps'), { recursive: true });
  writeFileSync(stampOf(name), fingerprint(inputs));
}
