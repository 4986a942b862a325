/** Returns the global object of Node.js itself: in jsdom, `globalThis` is another, which lacks much of it. */
export function outerRealm(): typeof globalThis {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const vm = process?.getBuiltinModule?.('node:vm') as typeof import('node:vm') | undefined;
  return (vm?.runInThisContext('globalThis') as typeof globalThis | undefined) ?? globalThis;
}
