// The npm packages: `tabernetes` from the top, and two optional ones:
//
//   tabernetes-playground   the page, which `tabernetes serve` finds if it is installed beside it
//   tabernetes-embedded     the WebAssembly as JavaScript, for bundlers that copy no files (esbuild)
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run, top, Trouble } from '../lib/run.mjs';
import { settleModes } from './archive.mjs';
import { packageJson, version } from './commit.mjs';

const kLegal = ['LICENSE', 'THIRD_PARTY.md'];

/** Runs `npm pack`, which writes the same bytes for the same files. */
async function pack(out, folder) {
  const { output } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], { cwd: folder, quiet: true });
  const [{ filename }] = JSON.parse(output.slice(output.search(/^\[/m)));
  return join(out, filename);
}

function stage(scratch, name, description, more, readme) {
  const folder = join(scratch, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { license, repository, homepage, bugs, engines } = packageJson;
  const content = { name, version, description, license, repository, homepage, bugs, type: 'module', ...more };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...content, engines }, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), `# ${name}\n\n${readme}\n`);
  for (const file of kLegal) copyFileSync(join(top, file), join(folder, file));
  return folder;
}

/** Prepares the package with the page alone. */
function stagePlayground(scratch) {
  const folder = stage(
    scratch,
    'tabernetes-playground',
    'The playground of tabernetes: a static page with a Kubernetes API server inside',
    { keywords: ['kubernetes', 'playground'], exports: { './ui/*': './ui/*', './package.json': './package.json' }, files: ['ui/', 'THIRD_PARTY.md'] },
    'The page of [tabernetes](https://www.npmjs.com/package/tabernetes). `npx -p tabernetes -p tabernetes-playground tabernetes serve`\n' +
      'serves it at `/ui/`; the folder `ui/` is a static site that needs no server.',
  );
  cpSync(join(top, 'dist', 'ui'), join(folder, 'ui'), { recursive: true });
  return folder;
}

/** Returns the JavaScript with the bytes of tabernetes.wasm, gzipped, as a text. */
export function embeddedModule(wasm) {
  return `export const compressed =\n  '${gzipSync(wasm, { level: 9 }).toString('base64')}';\n`;
}

function stageEmbedded(scratch) {
  const entry = { types: './index.d.ts', default: './index.js' };
  const folder = stage(
    scratch,
    'tabernetes-embedded',
    'The WebAssembly of tabernetes as JavaScript, for bundlers that take no other files along',
    { keywords: ['kubernetes', 'wasm'], sideEffects: false, exports: { '.': entry, './package.json': './package.json' }, types: entry.types, files: ['index.js', 'index.d.ts', 'THIRD_PARTY.md'] },
    'Installed beside [tabernetes](https://www.npmjs.com/package/tabernetes), in the same version, it is found without being\n' +
      'imported: bundles of esbuild then have the WebAssembly in them. Vite, webpack, Rollup, Parcel and pages without a bundler\n' +
      'do not need it.',
  );
  writeFileSync(join(folder, 'index.js'), embeddedModule(readFileSync(join(top, 'dist', 'tabernetes.wasm'))));
  writeFileSync(join(folder, 'index.d.ts'), '/** tabernetes.wasm, gzipped, in Base64. */\nexport declare const compressed: string;\n');
  return folder;
}

/** Packs all three into `out` and returns their paths: { main, playground, embedded }. */
export async function packPackages(out, scratch) {
  for (const file of ['index.js', 'tabernetes.wasm', 'ui/index.html']) {
    if (!existsSync(join(top, 'dist', file))) throw new Trouble(`dist/${file} is not there: npm run build`);
  }
  settleModes(join(top, 'dist'));
  const folders = { main: top, playground: stagePlayground(scratch), embedded: stageEmbedded(scratch) };
  const packed = {};
  for (const [name, folder] of Object.entries(folders)) packed[name] = await pack(out, folder);
  return packed;
}
