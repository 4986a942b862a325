// Third-party code in the products. third_party/libraries.json lists it and how to detect it; the functions here ask
// the linker and the bundlers what they included. tests/release/libraries.test.mjs compares both with THIRD_PARTY.md.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { top } from '../lib/run.mjs';

const read = (path) => JSON.parse(readFileSync(join(top, path), 'utf8'));

/**
 * Returns [{ id, title, url, licence, seen: [part of a path…], version }]; `version` is undefined if the machine
 * decides it.
 */
export function libraries() {
  const sources = new Map(read('third_party/manifest.json').sources.map((source) => [source.name, source]));
  const installed = read('package-lock.json').packages;
  return read('third_party/libraries.json').libraries.map((library) => {
    const { id, npm, seen = [] } = library;
    const source = sources.get(id);
    const version = source?.version ?? installed[`node_modules/${npm}`]?.version ?? library.version;
    const licence = source?.licence ?? installed[`node_modules/${npm}`]?.license ?? library.licence;
    return { ...library, licence, version, seen: [...(source ? [`/third_party/${id}/`] : []), ...(npm ? [`/node_modules/${npm}/`] : []), ...seen] };
  });
}

/**
 * Returns the ids of the libraries that contain `paths`, and the folders that belong neither to us nor to a known
 * library.
 */
export function librariesOf(paths, isOurs) {
  const known = libraries();
  const found = new Set();
  const strange = new Set();
  for (const path of paths) {
    const library = known.find(({ seen }) => seen.some((part) => path.includes(part)));
    if (library) found.add(library.id);
    else if (!isOurs(path)) strange.add(path.match(/^.*\/third_party\/[^/]+/)?.[0] ?? dirname(path));
  }
  return { found: [...found].sort(), strange: [...strange] };
}

const ask = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });

/** Returns all files that went into `target` of a Ninja build: sources, their headers, libraries. */
export function ninjaInputs(build, target) {
  const inputs = ask('ninja', '-C', build, '-t', 'inputs', target).split('\n');
  const objects = new Set(inputs.filter((path) => /\.o(bj)?$/.test(path)));
  const paths = new Set(inputs.filter((path) => path && !objects.has(path)));
  let takes = false;
  for (const line of ask('ninja', '-C', build, '-t', 'deps').split('\n')) {
    const head = line.match(/^(\S+): #deps/);
    if (head) takes = objects.has(head[1]);
    else if (takes && line.startsWith('    ')) paths.add(line.trim());
  }
  return [...paths].map((path) => resolve(build, path));
}

/** Returns the files of npm packages in dist/FILE, as wasm/build.mjs has noted them. */
export function bundledInto(file) {
  const inputs = JSON.parse(readFileSync(join(top, 'build', 'bundled.json'), 'utf8'))[`dist/${file}`];
  return inputs.filter((path) => path.startsWith('node_modules/')).map((path) => `/${path}`);
}

/** Returns the npm packages in the page, which licenses.txt lists. */
export function bundledIntoPage() {
  const text = readFileSync(join(top, 'dist', 'ui', 'licenses.txt'), 'utf8');
  return [...text.matchAll(/^(\S+) \d\S* \(.*\)$/gm)].map((match) => `/node_modules/${match[1]}/`);
}

/** Returns the system libraries, static and dynamic, of a dynamically linked program. */
export function neededBy(binary) {
  const text = ask('objdump', '-p', binary);
  return [...text.matchAll(/NEEDED\s+(\S+)/g)].map((match) => `/lib/${match[1]}`);
}

function boostVersion() {
  const header = ['/usr/include', '/usr/local/include'].map((folder) => join(folder, 'boost/version.hpp')).find((path) => existsSync(path));
  return header && readFileSync(header, 'utf8').match(/define BOOST_LIB_VERSION "(.*)"/)[1].replaceAll('_', '.');
}

const emscriptenVersion = () => ask('emcc', '--version').match(/\d+\.\d+\.\d+/)[0];

/** Returns the installed version of a library of this machine. */
export function versionHere(id) {
  return { boost: boostVersion, emscripten: emscriptenVersion }[id]?.();
}
