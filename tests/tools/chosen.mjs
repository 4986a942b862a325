// Which tools a file of tests tries, and the project in which they are installed.
//
// TABERNETES_TOOLS='{"msw":["msw@3.0.5"]}' chooses these versions and these tools alone (tools/matrix.mjs does so);
// TABERNETES_NODE is the Node.js that runs them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { projectWith } from './project.mjs';
import { kToolTests, tools } from './versions.mjs';

export const node = process.env.TABERNETES_NODE ?? process.execPath;
export const newNode = Number(process.env.TABERNETES_NODE_MAJOR ?? process.versions.node.split('.')[0]) >= 22;

/**
 * Returns what the tests of `file` use: `tried(name, body)`, a test of the tool that its name begins with, and
 * `binOf(package)`, the main file of a package's command. Gives `use` the project before the tests run.
 */
export function toolsOf(file, use) {
  const here = `${process.platform}-${process.arch}`;
  const usual = Object.fromEntries(Object.entries(tools).filter(([, { tests = kToolTests, only = here }]) => tests === file && only === here).map(([name, { test: packages }]) => [name, packages]));
  const chosen = process.env.TABERNETES_TOOLS ? JSON.parse(process.env.TABERNETES_TOOLS) : usual;
  let project;
  before(async () => {
    use((project = await projectWith(Object.values(chosen).flat())));
  }, { timeout: 900_000 });
  return {
    tried: (name, body) => test(name, { skip: chosen[name.split(':')[0]] ? false : 'not chosen', timeout: 300_000 }, body),
    binOf: (name, bin = name) => {
      const { bin: bins } = JSON.parse(readFileSync(join(project.folder, 'node_modules', name, 'package.json'), 'utf8'));
      return join('node_modules', name, typeof bins === 'string' ? bins : bins[bin]);
    },
  };
}
