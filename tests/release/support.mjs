// Shared by the tests of the release: its files, an environment without compilers, isolated folders to install it in.
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { version } from '../../tools/release/commit.mjs';

export { version };
export const release = process.env.TABERNETES_RELEASE ?? new URL('../../build/release-test', import.meta.url).pathname;
export const file = (name) => join(release, name);
export const files = () => readdirSync(release).sort();

/** Returns a folder outside of the checkout that is removed after the tests of the file. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tabernetes-release-'));
  chmodSync(folder, 0o755); // other users run programs in it
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns an environment whose PATH has Node, npm and a shell, and no compilers. */
export function plainEnvironment() {
  const home = newFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const node = dirname(process.execPath);
  for (const [name, path] of Object.entries({ node: process.execPath, npm: join(node, 'npm'), npx: join(node, 'npx'), sh: '/bin/sh', env: '/usr/bin/env' })) {
    symlinkSync(realpathSync(path), join(bin, name));
  }
  return { PATH: bin, HOME: home, npm_config_update_notifier: 'false', npm_config_audit: 'false', npm_config_fund: 'false' };
}

export const execute = promisify(execFile);

/** Returns an npm project with only these tarballs installed. */
export async function projectWith(...tarballs) {
  const folder = newFolder();
  const env = plainEnvironment();
  await execute('npm', ['init', '-y'], { cwd: folder, env });
  await execute('npm', ['pkg', 'set', 'type=module'], { cwd: folder, env });
  await execute('npm', ['install', '--offline', '--foreground-scripts', ...tarballs.map(file)], { cwd: folder, env });
  return { folder, env, run: (program, ...args) => execute(program, args, { cwd: folder, env }) };
}

/** Starts a server and resolves, when it is ready, with { url, stop() → exit code }. */
export function start(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return new Promise((resolve, reject) => {
    const take = (chunk) => {
      said += chunk;
      const url = said.match(/tabernetes ready (\S+)/)?.[1];
      if (url) resolve({ url, stop: () => (child.kill('SIGTERM'), ended) });
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', reject);
    ended.then((code) => reject(new Error(`${basename(program)} ended with ${code}:\n${said}`)));
  });
}

/** Returns program and arguments that run `command` with `root` as the whole file system, as that user. */
export function insideRoot(root, [uid, gid], command) {
  // The binary reads its own path from /proc, which is not mounted here.
  mkdirSync(join(root, 'proc/self'), { recursive: true });
  rmSync(join(root, 'proc/self/exe'), { force: true });
  symlinkSync(command[0], join(root, 'proc/self/exe'));
  if (process.getuid() === 0) return ['chroot', [`--userspec=${uid}:${gid}`, root, ...command]];
  return ['unshare', ['--user', `--map-user=${uid}`, `--map-group=${gid}`, `--root=${root}`, ...command]];
}
