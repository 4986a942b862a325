#!/usr/bin/env node
// `npm start [-- flags]`: all set-up, the build, then `tabernetes serve` with the flags given.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildSteps } from './build.mjs';
import { main, steps, top } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';

await main(async () => {
  await steps([...setupSteps('build'), ...buildSteps()]);
  const server = spawn(join(top, 'build', 'native', 'tabernetes'), ['serve', ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends ^C to both; we wait until the server has ended its watches.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
  server.on('exit', (code, signal) => process.exit(signal ? 1 : code));
});
