// A server of ours with a clock that stands, on a free port.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../../', import.meta.url));

const kBinaries = {
  native: process.env.TABERNETES_BINARY ?? join(top, 'build', 'native', 'tabernetes'),
  'wasm-node': join(top, 'dist', 'cli.js'),
};

export const kHosts = Object.keys(kBinaries);

/** Starts a server and returns { url, stop() }. */
export async function startServer(host, flags) {
  const child = spawn(kBinaries[host], ['serve', '--listen', '127.0.0.1:0', '--ui=false', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
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
    return exited;
  };
  return { url, stop };
}
