// The server for client tests, the native one unless TABERNETES_BINARY names another: started on a free port, with a
// kubeconfig, and stopped at the end.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const top = fileURLToPath(new URL('../../', import.meta.url));
const binary = process.env.TABERNETES_BINARY ?? join(top, 'build', 'native', 'tabernetes');

/** Options of a test of what the server in Node.js refuses: flags about callers whom webhooks and issuers know. */
export const nativeOnly = { skip: binary.endsWith('.js') && 'only the native server has these flags' };

/** Starts a server and returns { url, kubeconfig, stop() }. It runs no control loops unless the flags ask for them. */
export async function startServer(...flags) {
  const dir = mkdtempSync(join(tmpdir(), 'tabernetes-'));
  const kubeconfig = join(dir, 'kubeconfig');
  const child = spawn(binary, ['serve', '--listen', '127.0.0.1:0', '--kubeconfig', kubeconfig, '--ui=false', '--controllers', 'none', '--scheduler=false', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const ready = text.match(/tabernetes ready (\S+)/);
      if (ready) resolve(ready[1]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}: ${text}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const code = await exited;
    rmSync(dir, { recursive: true, force: true });
    return code;
  };
  return { url, kubeconfig, dir, stop };
}
