// Which control loops run. Known are the loops that there are, by kube-controller-manager's names and by shorter ones.

const kKnown: readonly (readonly string[])[] = [
  ['serviceaccount-controller', 'serviceaccount'],
  ['root-ca-certificate-publisher-controller', 'root-ca-cert-publisher'],
  ['garbage-collector-controller', 'garbagecollector', 'gc'],
  ['namespace-controller', 'namespace'],
  ['disruption-controller', 'disruption'],
  ['clusterrole-aggregation-controller', 'clusterrole-aggregation'],
];

/**
 * The names of the loops that a list turns on, as kube-controller-manager reads its --controllers: `*` or `all` is all
 * of them, `none` none, `foo` adds one, `-foo` takes one away. Throws a TypeError that says what is wrong.
 */
export function parseControllers(list: string): readonly string[] {
  const on = new Set<string>();
  const off = new Set<string>();
  for (const item of list.split(',').filter((text) => text !== '' && text !== 'none')) {
    if (item === '*' || item === 'all') {
      for (const [name] of kKnown) on.add(name!);
      continue;
    }
    const minus = item.startsWith('-');
    const known = kKnown.find((names) => names.includes(item.slice(minus ? 1 : 0)));
    if (!known) throw new TypeError(`unknown controller ${item}`);
    (minus ? off : on).add(known[0]!);
  }
  return [...on].filter((name) => !off.has(name));
}
