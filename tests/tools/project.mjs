// Projects outside of the checkout with the packed package in them, as users have them: empty ones with a tool, and
// copies of examples.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';

const top = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);

/** Returns an environment without what Node's test runner adds, which would change a tool's output. */
export function environment() {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  return { ...env, CI: '1', FORCE_COLOR: '0', NO_COLOR: '1', npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };
}

/**
 * Returns a project with these packages (`name@version`) and this package: { folder, run, runWith, write }. The packages stay
 * installed for the next run on this machine; nothing is ever in the checkout.
 */
export async function projectWith(packages) {
  const key = createHash('sha256').update(`${top} ${packages.join(' ')} ${process.version}`).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `tabernetes-tools-${userInfo().uid}-${key}`);
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name":"app","version":"1.0.0","private":true,"type":"module"}');
    await install(folder, packages);
    writeFileSync(done, '');
  }
  await unpackInto(folder);
  cpSync(join(top, 'tests/entries/little_suite.mjs'), join(folder, 'little_suite.mjs'));
  const { code } = transformSync(readFileSync(join(folder, 'little_suite.mjs'), 'utf8'), { format: 'cjs' });
  writeFileSync(join(folder, 'little_suite.cjs'), code);
  return {
    folder,
    write: (name, text) => {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
    run: (program, ...args) => runIn(folder, {}, program, ...args),
    runWith: (env, program, ...args) => runIn(folder, env, program, ...args),
  };
}

/**
 * Returns a copy of a project of this repository: { folder, run }, with the packages of its lock file and this package,
 * as it is packed. The packages stay installed for the next run on this machine; nothing is ever in the checkout.
 */
export async function copyOf(project) {
  const source = join(top, project);
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) => JSON.parse(readFileSync(join(source, name), 'utf8')));
  // npm would want the checkout where the manifest says it is.
  for (const each of [manifest, lock.packages['']]) delete each.devDependencies.tabernetes;
  delete lock.packages['node_modules/tabernetes'];
  const texts = [manifest, lock].map((each) => JSON.stringify(each));
  const key = createHash('sha256').update(`${top} ${texts.join(' ')} ${process.version}`).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `tabernetes-example-${userInfo().uid}-${key}`);
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    ['package.json', 'package-lock.json'].forEach((name, i) => writeFileSync(join(folder, name), texts[i]));
    await npm(folder, 'ci');
    writeFileSync(done, '');
  }
  const isOurs = (name) => !['node_modules', 'installed', 'package.json', 'package-lock.json'].includes(name);
  for (const name of readdirSync(folder).filter(isOurs)) rmSync(join(folder, name), { recursive: true });
  for (const name of readdirSync(source).filter(isOurs)) cpSync(join(source, name), join(folder, name), { recursive: true });
  await unpackInto(folder);
  return { folder, run: (env, program, ...args) => runIn(folder, env, program, ...args) };
}

function runIn(folder, env, program, ...args) {
  return execute(program, args, { cwd: folder, env: { ...environment(), ...env }, timeout: 240_000, maxBuffer: 64 << 20 }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}: ${error.message}\n${error.stdout}\n${error.stderr}`);
  });
}

const install = (folder, packages) => npm(folder, 'install', '--no-package-lock', ...packages);

/** Runs npm in a folder, twice if the registry fails. */
export async function npm(folder, ...args) {
  const flags = ['--ignore-scripts', '--prefer-offline', '--fetch-retries=4', '--loglevel=error'];
  for (let attempt = 1; ; attempt++) {
    try {
      return await execute('npm', [...args, ...flags], { cwd: folder, env: environment(), timeout: 400_000 });
    } catch (error) {
      if (attempt === 2) throw error;
    }
  }
}

let packed;

/** Puts the package, as it is packed, where npm would have installed it. It has no dependencies. */
export async function unpackInto(folder) {
  packed ??= (async () => {
    const place = mkdtempSync(join(tmpdir(), 'tabernetes-pack-'));
    process.once('exit', () => rmSync(place, { recursive: true, force: true }));
    const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], { cwd: top, env: environment() });
    return join(place, JSON.parse(stdout)[0].filename);
  })();
  const target = join(folder, 'node_modules/tabernetes');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await execute('tar', ['-xzf', await packed, '-C', target, '--strip-components=1']);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true }); // there is none where no package has a command
  const command = join(folder, 'node_modules/.bin/tabernetes');
  rmSync(command, { force: true });
  symlinkSync('../tabernetes/dist/cli.js', command);
}
