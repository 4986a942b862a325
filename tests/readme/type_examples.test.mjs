// Tests that the examples in the comments of the npm package's types, which editors and docs/reference/ show, are right by
// those types.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const top = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tabernetes-types-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What examples do not declare themselves: what a reader has, and the tools beside the package. */
const kPrelude = `
type Cluster = import('tabernetes').Cluster;
declare var cluster: Cluster, filled: Cluster;
declare const yamlText: string, podYaml: string, manifests: string, bytes: Uint8Array, before: Uint8Array;
declare const pod: any, deployment: any, live: any, patch: any, manifest: any, pods: any[];
declare const result: import('tabernetes').ApplyResult, kubectl: import('tabernetes').FieldManager;
declare const response: { json(): Promise<any>; bytes(): Promise<Uint8Array>; headers: Headers };
declare const button: HTMLElement, page: any, wasm: WebAssembly.Module;
declare function convert(review: unknown): object;
declare function deletePod(transport: Cluster['fetch'], name: string): Promise<void>;
declare const beforeEach: (hook: () => unknown) => void, afterEach: typeof beforeEach;
declare const base: { extend<T>(fixtures: object): any }, test: any, it: any, expect: any, cy: any, KubeConfig: any, setupServer: any, require: any;
interface RequestInit { dispatcher?: unknown } // Node.js has it
declare module 'msw/node' { export const setupServer: any; }
declare module 'vitest' { export const expect: any, test: any, beforeAll: any, beforeEach: any, afterEach: any, afterAll: any; }
declare module '@playwright/test' { export const test: typeof base; }
`;

/** Returns the entry that exports what a source declares: the name of an import. */
function entryOf(source) {
  const [, name] = source.match(/^entries\/(.*)\.ts$/) ?? [];
  if (!name) return source === 'websocket.ts' ? 'tabernetes/websocket' : 'tabernetes';
  return { remote: 'tabernetes/worker', routes: 'tabernetes/msw', 'test-cluster': 'tabernetes/vitest' }[name] ?? `tabernetes/${name}`;
}

const program = (files) =>
  ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
    strict: true,
    noImplicitAny: false, // some examples are JavaScript
    noEmit: true,
    skipLibCheck: true,
  });

function write(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Returns the examples: [{ source, code }]. */
function examples() {
  return readdirSync(join(top, 'wasm/src'), { recursive: true }).filter((name) => name.endsWith('.ts')).sort().flatMap((source) => {
    const text = readFileSync(join(top, 'wasm/src', source), 'utf8');
    return [...text.matchAll(/^ *\* ```ts\n([^]*?)^ *\* ```$/gm)].map(([, body]) => ({ source, code: body.replace(/^ *\* ?/gm, '') }));
  });
}

/** Returns what each entry exports: a map of lists of names. */
function exportsOf(entries) {
  const index = write('entries.ts', entries.map((name, i) => `export * as e${i} from '${name}';`).join('\n'));
  const built = program([index]);
  const checker = built.getTypeChecker();
  const modules = checker.getExportsOfModule(checker.getSymbolAtLocation(built.getSourceFile(index)));
  const namesOf = (i) => checker.getExportsOfModule(checker.getAliasedSymbol(modules.find(({ name }) => name === `e${i}`))).map(({ name }) => name);
  return new Map(entries.map((name, i) => [name, namesOf(i)]));
}

/** Returns the imports of what an example uses and neither imports nor declares itself. */
function importsFor({ source, code }, exported) {
  const own = (name) => new RegExp(`(?:import|const|let)(?: type)? \\{[^}]*\\b${name}\\b|(?:const|let) ${name}\\b`).test(code);
  const taken = new Set();
  return [...new Set([entryOf(source), 'tabernetes'])].map((entry) => {
    const used = exported.get(entry).filter((name) => !taken.has(name) && new RegExp(`\\b${name}\\b`).test(code) && !own(name));
    for (const name of used) taken.add(name);
    return used.length > 0 ? `import { ${used.join(', ')} } from '${entry}'; ` : '';
  }).join('');
}

test('the examples in the comments of the types', () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(top, join(folder, 'node_modules/tabernetes'));
  const all = examples();
  assert.ok(all.length > 50);
  const exported = exportsOf([...new Set(['tabernetes', ...all.map(({ source }) => entryOf(source))])]);
  const files = all.map((example, i) => write(`example-${i}.ts`, `${importsFor(example, exported)}export {};\n${example.code}`));
  const faults = ts.getPreEmitDiagnostics(program([write('prelude.d.ts', kPrelude), ...files])).map(({ file, start, messageText }) => {
    const { source, code } = all[files.indexOf(file?.fileName)] ?? { source: file?.fileName, code: '' };
    const line = file ? ts.getLineAndCharacterOfPosition(file, start).line : 0;
    return `${source}: ${code.split('\n')[line - 1]}\n  ${ts.flattenDiagnosticMessageText(messageText, '\n  ')}`;
  });
  assert.deepEqual(faults, []);
});
