#!/usr/bin/env node
// `npm run docs`: writes docs/reference/, the reference of the npm package, from its types and their comments. A test of
// tools/test/ fails if the pages are not what the types say.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter } from 'typedoc';
import { top } from './lib/top.mjs';

export const kTarget = 'docs/reference';

/** Returns the sources of the package's entries that have types. */
export function entryPoints() {
  const { exports } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  const types = Object.values(exports).map((entry) => entry.default?.types ?? entry.types);
  return types.filter((path) => path && !/\.(?:wasm|gz)\.d\.ts$/.test(path)).map((path) => path.replace('./dist/', 'wasm/src/').replace('.d.ts', '.ts'));
}

/** Writes the reference into a folder. Throws an Error if the comments contradict the types. */
export async function writeReference(folder) {
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entryPoints().map((path) => join(top, path)),
    tsconfig: join(top, 'wasm/tsconfig.json'),
    name: 'Reference of the npm package',
    readme: 'none',
    router: 'module',
    entryFileName: 'README',
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true,
    githubPages: false,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    expandObjects: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'list',
    sort: ['source-order'],
    sortEntryPoints: false,
    groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', '*'],
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    out: folder,
    logLevel: 'Warn',
  });
  // A destructured parameter has no name of its own; all of them are options.
  app.converter.on(Converter.EVENT_CREATE_PARAMETER, (_, parameter) => {
    if (parameter.name === '__namedParameters') parameter.name = 'options';
  });
  const project = await app.convert();
  if (!project || app.logger.hasErrors()) throw new Error('the reference cannot be made');
  app.validate(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('the reference has faults');
  rmSync(folder, { recursive: true, force: true });
  await app.generateOutputs(project);
}

/** Returns the pages of a folder, by their names. */
export function pagesOf(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeReference(join(top, kTarget));
