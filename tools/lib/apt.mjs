// A private apt, made from the machine's own entries: the same archives and keys, but with other suites and source
// packages, and without touching the system's lists. No archive is named here.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns ID and VERSION_CODENAME of this system, such as { id: 'debian', codename: 'bookworm' }. */
export function osRelease() {
  let text = '';
  try {
    text = readFileSync('/etc/os-release', 'utf8');
  } catch {
    return { id: 'unknown', codename: '', like: '' };
  }
  const value = (key) => text.match(new RegExp(`^${key}="?([^"\n]*)"?$`, 'm'))?.[1] ?? '';
  return { id: value('ID'), codename: value('VERSION_CODENAME'), like: value('ID_LIKE') };
}

/**
 * Returns the suites to search: the newest first, so that everyone builds the same versions, then the machine's own.
 */
function suitesFor({ id, codename }) {
  return id === 'debian' ? [...new Set(['trixie', 'bookworm', codename])] : [codename];
}

/** Returns the entries (URI, options) from which this machine installs its own release. */
export function ownEntries(codename, root = '/etc/apt') {
  const entries = [];
  const add = (uri, signedBy) => {
    if (!entries.some((e) => e.uri === uri)) entries.push({ uri, signedBy });
  };
  const oneLine = (text) => {
    for (const line of text.split('\n')) {
      const m = line.match(/^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+(.*)$/);
      if (m && m[3] === codename && /\bmain\b/.test(m[4])) add(m[2], m[1]?.match(/signed-by=(\S+)/)?.[1]);
    }
  };
  const deb822 = (text) => {
    for (const stanza of text.split(/\n\s*\n/)) {
      const clean = stanza.replace(/^#.*\n?/gm, '');
      const field = (key) => clean.match(new RegExp(`^${key}:((?:.*)(?:\n[ \t].*)*)`, 'mi'))?.[1].trim();
      const words = (key) => (field(key) ?? '').split(/\s+/);
      if (/^no$/i.test(field('Enabled') ?? '')) continue;
      if (!words('Types').includes('deb') || !words('Suites').includes(codename)) continue;
      if (words('Components').includes('main')) for (const uri of words('URIs')) add(uri, field('Signed-By'));
    }
  };
  if (existsSync(join(root, 'sources.list'))) oneLine(readFileSync(join(root, 'sources.list'), 'utf8'));
  const parts = join(root, 'sources.list.d');
  for (const file of existsSync(parts) ? readdirSync(parts).sort() : []) {
    if (file.endsWith('.list')) oneLine(readFileSync(join(parts, file), 'utf8'));
    if (file.endsWith('.sources')) deb822(readFileSync(join(parts, file), 'utf8'));
  }
  return entries;
}

/** Opens the private apt in `dir`. Returns undefined if there is no apt or no entry to derive it from. */
export function openApt(dir) {
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  const os = osRelease();
  const entries = ownEntries(os.codename);
  if (entries.length === 0) return undefined;
  const suites = suitesFor(os);

  const stanza = ({ uri, signedBy }, suite) =>
    ['Types: deb deb-src', `URIs: ${uri}`, `Suites: ${suite}`, 'Components: main', signedBy && `Signed-By: ${signedBy}`]
      .filter(Boolean)
      .join('\n');
  for (const d of ['parts', 'lists/partial', 'cache/archives/partial']) mkdirSync(join(dir, d), { recursive: true });
  writeFileSync(join(dir, 'status'), '');
  const sources = suites.flatMap((s) => entries.map((e) => stanza(e, s))).join('\n\n') + '\n';
  const sourcesFile = join(dir, 'parts', 'own.sources');
  const fresh = existsSync(sourcesFile) && readFileSync(sourcesFile, 'utf8') === sources;
  writeFileSync(sourcesFile, sources);

  const options = {
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': join(dir, 'parts'),
    'Dir::Etc::preferences': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::State::lists': join(dir, 'lists'),
    'Dir::State::status': join(dir, 'status'),
    'Dir::Cache': join(dir, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'Acquire::Retries': '3',
    'APT::Sandbox::User': '',
  };
  const flags = Object.entries(options).flatMap(([k, v]) => ['-o', `${k}=${v}`]);
  const run = (program, args) =>
    execFileSync(program, [...flags, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
      env: { ...process.env, LC_ALL: 'C' },
    });

  let updated = fresh && existsSync(join(dir, 'updated'));
  let refreshed = false;
  const update = () => {
    if (!updated) refresh();
  };
  const refresh = () => {
    if (refreshed) return false;
    refreshed = true;
    run('/usr/bin/apt-get', ['-qq', 'update']);
    writeFileSync(join(dir, 'updated'), '');
    return (updated = true);
  };

  // Lines of --print-uris: 'URI' name size SHA256:hash
  const uris = (args) => {
    try {
      return [...run('/usr/bin/apt-get', ['--print-uris', ...args]).matchAll(/^'([^']+)' (\S+) (\d+) SHA256:(\w+)$/gm)].map(
        ([, uri, name, , sha256]) => ({ uri, name, sha256 }),
      );
    } catch {
      return []; // not in that suite
    }
  };

  return {
    suites,
    /** Downloads the lists unless they exist. */
    update,
    /** Downloads the lists again, at most once per run. Returns false if that was done already. */
    refresh,
    /** Returns the files of a source package in every suite: [{ uri, name, sha256 }]. */
    sourceFiles: (pkg) => suites.flatMap((suite) => uris(['source', `${pkg}/${suite}`])),
    /** Returns the .deb of a binary package in every suite. */
    debs: (pkg) => suites.flatMap((suite) => uris(['download', `${pkg}/${suite}`])),
    /** Downloads one of them by apt's own transport and verifies its hash. */
    download({ uri, sha256 }, target) {
      run('/usr/lib/apt/apt-helper', ['download-file', uri, `${target}.part`, `SHA256:${sha256}`]);
      renameSync(`${target}.part`, target);
    },
  };
}
