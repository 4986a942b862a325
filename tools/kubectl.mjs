#!/usr/bin/env node
// Provides a kubectl for the client tests: the one on PATH if it is 1.27 or newer (older ones need the protobuf
// OpenAPI), else that of Debian's package, unpacked to build/tools without being installed.
//
//   node tools/kubectl.mjs        prints the path
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApt } from './lib/apt.mjs';
import { ask, atLeast, main, top, Trouble, which } from './lib/run.mjs';

const kOldest = '1.27';

/** Returns "1.32.3" for a kubectl that runs, otherwise "0". */
function clientVersion(path) {
  try {
    return JSON.parse(ask(path, 'version', '--client', '-o', 'json') ?? '{}').clientVersion.gitVersion.match(/\d+\.\d+\.\d+/)[0];
  } catch {
    return '0';
  }
}

/** Unpacks the newest package that is new enough. apt lists [{ uri, name, sha256 }] in the order of the suites. */
function unpackPackage(target) {
  const cache = process.env.TABERNETES_CACHE ?? join(top, 'build', 'downloads');
  const apt = openApt(join(cache, 'apt'));
  apt?.update();
  const version = ({ name }) => decodeURIComponent(name).match(/_(?:\d+:)?(\d+\.\d+\.\d+)/)?.[1] ?? '0';
  const deb = apt?.debs('kubectl').find((file) => atLeast(version(file), kOldest));
  if (!deb) return false;
  const file = join(cache, deb.sha256);
  if (!existsSync(file)) apt.download(deb, file);
  const scratch = `${target}.${process.pid}`;
  execFileSync('dpkg-deb', ['-x', file, scratch]);
  renameSync(join(scratch, 'usr', 'bin', 'kubectl'), target);
  rmSync(scratch, { recursive: true });
  return true;
}

/** Returns the path of a kubectl that is new enough. Throws a Trouble if there is none. */
export function kubectl() {
  const installed = which('kubectl');
  if (installed && atLeast(clientVersion(installed), kOldest)) return installed;
  const dir = join(top, 'build', 'tools');
  const unpacked = join(dir, 'kubectl');
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(dir, { recursive: true });
  if (unpackPackage(unpacked)) return unpacked;
  throw new Trouble(`kubectl ${kOldest} or newer is needed on PATH; the packages of this system have none`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(async () => console.log(kubectl()));
