// What is used of Vitest, which is a dependency of its users and not of this package.
declare module 'vitest' {
  export function beforeAll(hook: () => Promise<void>): void;
  export function beforeEach(hook: () => void): void;
  export function afterEach(hook: () => void): void;
  export function afterAll(hook: () => void): void;
}
