#!/usr/bin/env node
// `npm start [-- flags]`: sets up, builds the server and runs `tabernetes serve` with the flags; then builds the page
// under /ui/ with its WebAssembly while the server answers. `--verbose` belongs to this tool: it shows the output of
// the build.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nativeSteps, pageSteps, serverPageSteps } from './build.mjs';
import { placePlaceholder, servesPage } from './lib/page.mjs';
import { main, say, steps, top, Trouble } from './lib/run.mjs';
import { setupSteps } from './setup.mjs';

const flags = process.argv.slice(2).filter((flag) => flag !== '--verbose');
const log = (name) => ({ log: join(top, 'build', 'logs', `${name}.log`) });

/** Starts the server. Its output appears beside the moving line. This program ends when the server does. */
function serve() {
  const server = spawn(join(top, 'build', 'native', 'tabernetes'), ['serve', ...flags], { stdio: ['inherit', 'pipe', 'pipe'] });
  server.stdout.setEncoding('utf8').on('data', (text) => say(text, process.stdout));
  server.stderr.setEncoding('utf8').on('data', (text) => say(text, process.stderr));
  // The terminal sends ^C to both; wait until the server has ended its watches.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
  server.on('close', (code, signal) => process.exit(signal ? 1 : code));
}

async function buildPage() {
  const [packages, javaScript] = setupSteps('build');
  const first = existsSync(join(top, 'dist', 'ui', 'assets')) ? [] : serverPageSteps();
  await steps([packages, javaScript, ...first, ...pageSteps()], log('page'));
  say('playground ready under /ui/\n');
}

await main(async () => {
  await steps([...setupSteps('native'), ...nativeSteps()], log('server'));
  const page = servesPage(flags);
  if (page) placePlaceholder();
  serve();
  if (!page) return;
  try {
    await buildPage();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    say(`The page under /ui/ could not be built; the server goes on.\n${error.message}\n`);
  }
});
