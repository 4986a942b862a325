#!/usr/bin/env node
// Downloads the third-party sources of third_party/manifest.json to build/third_party/NAME and verifies them; does
// nothing for those that exist. CMake calls it when it configures. Sources with a `for` in the manifest are downloaded
// only by name.
//
//   node tools/third_party.mjs [--print-trees] [NAME…]
//
// TABERNETES_CACHE names a folder for downloads that several checkouts share (default: build/downloads).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApt } from './lib/apt.mjs';
import { archiveEntries, moduleArchive } from './lib/go_module.mjs';

const top = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(top, 'build', 'third_party');
const cache = process.env.TABERNETES_CACHE ?? join(top, 'build', 'downloads');
const printTrees = process.argv.includes('--print-trees');
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'));

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Returns the SHA-256 over the lines `hash  path` of all files below `dir`, sorted by path. */
function treeHash(dir) {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath ?? e.path, e.name).slice(dir.length + 1))
    .sort();
  return sha256(files.map((f) => `${sha256(readFileSync(join(dir, f)))}  ${f}\n`).join(''));
}

let apt;
function privateApt() {
  apt ??= openApt(join(cache, 'apt'));
  if (!apt) throw new Error('no apt with entries of its own release on this machine');
  apt.update();
  return apt;
}

/** Downloads the archive of one `from` entry into the cache and returns its path. */
async function archive(source, from) {
  mkdirSync(cache, { recursive: true });
  const known = from.sha256 && join(cache, from.sha256);
  if (known && existsSync(known) && sha256(readFileSync(known)) === from.sha256) return known;
  if (from.kind === 'url') {
    const target = join(cache, `${source.name}-${basename(from.url)}`);
    const answer = await fetch(from.url, { signal: AbortSignal.timeout(120_000) });
    if (!answer.ok) throw new Error(`${from.url}: ${answer.status}`);
    writeFileSync(target, Buffer.from(await answer.arrayBuffer()));
    return target;
  }
  if (from.kind === 'go') return moduleArchive(from, cache);
  if (from.kind === 'npm') {
    const packed = execFileSync('npm', ['pack', from.package, '--silent', '--pack-destination', cache], { encoding: 'utf8' });
    const file = join(cache, packed.trim().split('\n').pop());
    if (sha256(readFileSync(file)) !== from.sha256) throw new Error('it is not the pinned file');
    renameSync(file, known);
    return known;
  }
  const download = () => {
    const files = from.kind === 'apt-source' ? privateApt().sourceFiles(from.package) : privateApt().debs(from.package);
    const file = files.find((f) => f.sha256 === from.sha256);
    if (!file) throw new Error(`${from.package}: the pinned file is not in ${apt.suites.join(', ')}`);
    apt.download(file, known);
  };
  try {
    download();
  } catch (error) {
    if (!apt?.refresh()) throw error; // fresh lists; old ones may name files that have moved
    download();
  }
  return known;
}

/** Unpacks `file`, at least the paths of `keep`, and returns the folder that they are relative to. */
function unpack(file, from, keep, dir) {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  if (from.kind === 'go') {
    for (const { path, read } of archiveEntries(file)) {
      if (!keep.some((kept) => path === kept || (kept.endsWith('/') && path.startsWith(kept)))) continue;
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), read());
    }
    return dir;
  }
  if (from.kind === 'apt-binary') {
    execFileSync('dpkg-deb', ['-x', file, dir]);
    return join(dir, from.prefix ?? '');
  }
  execFileSync('tar', ['-xf', file, '-C', dir, '--no-same-owner']);
  const [only, ...more] = readdirSync(dir);
  return more.length === 0 ? join(dir, only) : dir;
}

async function bring(source) {
  const target = join(out, source.name);
  const stamp = join(out, `${source.name}.stamp`);
  const mark = `${source.version} ${source.tree}\n`;
  if (existsSync(stamp) && existsSync(target) && readFileSync(stamp, 'utf8') === mark) return;

  const faults = [];
  const scratch = join(out, `.${source.name}.${process.pid}`);
  for (const from of source.from) {
    try {
      const root = unpack(await archive(source, from), from, source.keep, join(scratch, 'all'));
      const kept = join(scratch, 'kept');
      rmSync(kept, { recursive: true, force: true });
      for (const path of source.keep) {
        if (!statSync(join(root, path), { throwIfNoEntry: false })) throw new Error(`${path} is missing in it`);
        cpSync(join(root, path), join(kept, path), { recursive: true });
      }
      const tree = treeHash(kept);
      if (printTrees) console.log(source.name, tree);
      else if (tree !== source.tree) throw new Error(`content hash is ${tree}, not ${source.tree}`);
      rmSync(target, { recursive: true, force: true });
      renameSync(kept, target);
      rmSync(scratch, { recursive: true, force: true });
      writeFileSync(stamp, mark);
      console.log(`third party: ${source.name} ${source.version} (${from.kind})`);
      return;
    } catch (error) {
      const why = (error.stderr?.toString() || error.cause?.message || error.message).trim().split('\n').pop();
      faults.push(`  ${from.kind} ${from.package ?? from.module ?? from.url}: ${why}`);
    }
  }
  rmSync(scratch, { recursive: true, force: true });
  throw new Error(`third party: cannot get ${source.name} ${source.version}\n${faults.join('\n')}`);
}

/** Continues without a source that is `optional`, and prints what is missing then. */
async function bringOrDoWithout(source) {
  try {
    await bring(source);
  } catch (error) {
    if (!source.optional) throw error;
    console.warn(`${error.message}\n  The build goes on without: ${source.optional}.`);
  }
}

const { sources } = JSON.parse(readFileSync(join(top, 'third_party', 'manifest.json'), 'utf8'));
mkdirSync(out, { recursive: true });
try {
  for (const source of sources) if (wanted.length === 0 ? !source.for : wanted.includes(source.name)) await bringOrDoWithout(source);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
