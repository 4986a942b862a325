// An empty project outside of the checkout with the packed package and a tool in it, as a user has them.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';

const top = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);

/** Returns an environment without what Node's test runner adds, which would change a tool's output. */
function environment() {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  return { ...env, CI: '1', FORCE_COLOR: '0', NO_COLOR: '1', npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };
}

/**
 * Returns a project with these packages (`name@version`) and this package: { folder, run, write }. The packages stay
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
    run: (program, ...args) => execute(program, args, { cwd: folder, env: environment(), timeout: 240_000, maxBuffer: 64 << 20 }).catch((error) => {
      throw new Error(`${program} ${args.join(' ')}: ${error.message}\n${error.stdout}\n${error.stderr}`);
    }),
  };
}

async function install(folder, packages) {
  const flags = ['install', '--ignore-scripts', '--no-package-lock', '--prefer-offline', '--fetch-retries=4', '--loglevel=error'];
  for (let attempt = 1; ; attempt++) {
    try {
      return await execute('npm', [...flags, ...packages], { cwd: folder, env: environment(), timeout: 400_000 });
    } catch (error) {
      if (attempt === 2) throw error;
    }
  }
}

let packed;

/** Puts the package, as it is packed, where npm would have installed it. It has no dependencies. */
async function unpackInto(folder) {
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
}
