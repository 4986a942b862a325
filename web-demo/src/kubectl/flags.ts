// The flags of a command, as kubectl takes them.

/** Names with what they take; `-n` and the like are other names of them. */
const kValues = [
  'namespace', 'output', 'selector', 'field-selector', 'filename', 'replicas', 'sort-by', 'patch', 'type', 'container', 'tail', 'image',
  'grace-period', 'timeout', 'for', 'label-columns', 'subresource', 'as', 'as-group', 'from-literal', 'to-revision', 'revision', 'port',
  'field-manager', 'cascade', 'dry-run', 'chunk-size', 'api-version', 'group', 'api-group', 'current-replicas', 'since', 'since-time', 'labels', 'restart', 'env', 'raw', 'verbs', 'categories', 'max-log-requests',
  'name', 'target-port', 'protocol', 'limits', 'requests', 'from', 'from-file', 'min', 'max', 'cpu-percent', 'verb', 'resource', 'resource-name',
  'non-resource-url', 'aggregation-rule', 'role', 'clusterrole', 'user', 'serviceaccount', 'tcp', 'node-port', 'external-name', 'clusterip', 'hard', 'scopes',
  'rule', 'class', 'annotation', 'annotations', 'default-backend', 'min-available', 'max-unavailable', 'value', 'description', 'preemption-policy', 'schedule',
  'duration', 'audience', 'docker-username', 'docker-password', 'docker-server', 'docker-email', 'cert', 'key', 'types', 'external-ip', 'session-affinity',
  'image-pull-policy', 'keys', 'patch-file', 'cluster-ip', 'load-balancer-ip', 'validate',
];
const kSwitches = [
  'all-namespaces', 'watch', 'watch-only', 'show-labels', 'no-headers', 'show-managed-fields', 'all', 'force', 'now', 'wait', 'overwrite',
  'server-side', 'force-conflicts', 'recursive', 'list', 'follow', 'previous', 'timestamps', 'ignore-daemonsets', 'delete-emptydir-data', 'stdin', 'tty', 'ignore-not-found',
  'current', 'help', 'show-kind', 'local', 'quiet', 'namespaced', 'client', 'show-events', 'all-containers', 'prefix', 'containers', 'record', 'disable-eviction',
  'command', 'expose', 'global-default', 'save-config',
];
const kShort: Readonly<Record<string, string>> = {
  n: 'namespace', o: 'output', l: 'selector', f: 'filename', A: 'all-namespaces', w: 'watch', p: 'patch', c: 'container', L: 'label-columns',
  h: 'help', R: 'recursive', i: 'stdin', t: 'tty', q: 'quiet',
};

export const kFlagNames = [...kValues, ...kSwitches].map((name) => `--${name}`);

export class Flags {
  /** What is not a flag. */
  readonly rest: string[] = [];
  /** What follows `--`. */
  readonly after: string[] = [];
  readonly #values = new Map<string, string[]>();

  /** Throws an Error as kubectl does if a flag is unknown. */
  constructor(words: readonly string[]) {
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      if (word === '--') {
        this.after = words.slice(i + 1);
        break;
      }
      if (!word.startsWith('-') || word === '-') {
        this.rest.push(word);
        continue;
      }
      const letters = switchesOf(word);
      if (letters) {
        for (const each of letters) this.#add(each, 'true');
        continue;
      }
      const [name, given] = nameOf(word);
      if (kSwitches.includes(name)) this.#add(name, given ?? 'true');
      else if (name === 'dry-run') this.#add(name, given ?? 'client');
      else if (given !== undefined) this.#add(name, given);
      else if (i + 1 < words.length) this.#add(name, words[++i]!);
      else throw new Error(`flag needs an argument: ${word.startsWith('--') ? word : `'${word[1]}' in ${word}`}`);
    }
  }

  #add(name: string, value: string): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  /** The last value; empty if the flag is not given. */
  get(name: string): string {
    return this.#values.get(name)?.at(-1) ?? '';
  }

  all(name: string): string[] {
    return this.#values.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  is(name: string, otherwise = false): boolean {
    const value = this.#values.get(name)?.at(-1);
    return value === undefined ? otherwise : value === 'true';
  }
}

/** `-it`: several switches in one word. Returns undefined for anything else. */
function switchesOf(word: string): string[] | undefined {
  if (!/^-[a-zA-Z]{2,}$/.test(word)) return undefined;
  const names = [...word.slice(1)].map((letter) => kShort[letter] ?? '');
  return names.every((name) => kSwitches.includes(name)) ? names : undefined;
}

function nameOf(word: string): [string, string | undefined] {
  if (word.startsWith('--')) {
    const [, name = '', value] = /^--([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (!kValues.includes(name) && !kSwitches.includes(name)) throw new Error(`unknown flag: --${name}`);
    return [name, value];
  }
  const letter = word[1]!;
  const name = kShort[letter];
  if (name === undefined) throw new Error(`unknown shorthand flag: '${letter}' in ${word}`);
  const more = word.slice(2).replace(/^=/, '');
  if (more !== '' && kSwitches.includes(name) && /^[a-zA-Z]+$/.test(more)) throw new Error(`unknown shorthand flag: '${more[0]}' in ${word}`);
  return [name, more === '' ? undefined : more];
}
