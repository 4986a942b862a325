/** What is used of Node's SQLite, which the types of Node.js 20 lack. */
declare module 'node:sqlite' {
  type Value = string | number | bigint | Uint8Array | null;

  export interface StatementSync {
    run(...values: Value[]): unknown;
    all(...values: Value[]): Record<string, Value>[];
    iterate(...values: Value[]): Iterable<Record<string, Value>>;
  }

  export class DatabaseSync {
    constructor(path: string);
    exec(statements: string): void;
    prepare(statement: string): StatementSync;
    close(): void;
  }
}
