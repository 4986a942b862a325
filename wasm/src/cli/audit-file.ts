// The file of the audit log.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { AuditLog, AuditedCluster } from '../audit.js';
import type { Cluster } from '../cluster.js';
import type { Log } from './log.js';
import { systemMessage } from './manifests.js';

/** What the flags `--audit-*` say. Paths are empty if there are none. */
export interface AuditFlags {
  policyFile: string;
  path: string;
  format: 'json' | 'legacy';
  truncates: boolean;
  mostEventBytes: number;
}

const kStdout = 1;

/** Writes what happens in clusters, an event a line. */
export class AuditFile {
  readonly #file: number;

  private constructor(
    path: string,
    private readonly audit: AuditLog,
    private readonly policyFile: string,
  ) {
    this.#file = path === '-' ? kStdout : openSync(path, 'a', 0o600);
  }

  /** Undefined: nothing is to be logged, as upstream without a policy. Throws an Error that says what is wrong. */
  static open({ policyFile, path, format, truncates, mostEventBytes }: AuditFlags): AuditFile | undefined {
    if (policyFile === '' || path === '') return undefined;
    const audit: AuditLog = { policy: policyOf(policyFile), format, mostBytes: truncates ? mostEventBytes : 0 };
    try {
      return new AuditFile(path, audit, policyFile);
    } catch (error) {
      throw new Error(`${path}: ${systemMessage(error)}`);
    }
  }

  /** Logs what is asked of `cluster`. Throws an Error for a policy that is wrong. */
  follow(cluster: Cluster, log: Log): void {
    try {
      const warning = (cluster as Cluster & AuditedCluster).auditLines(this.audit, (line) => this.#write(line));
      if (warning !== '') log.warn(warning);
    } catch (error) {
      throw new Error(`${kLoading}: ${(error as Error).message.replace(/^tabernetes: /, '')}: from file ${this.policyFile}`);
    }
  }

  #write(line: string): void {
    try {
      writeSync(this.#file, `${line}\n`);
    } catch {
      // A full disk loses events, not requests.
    }
  }

  close(): void {
    if (this.#file !== kStdout) closeSync(this.#file);
  }
}

const kLoading = 'loading audit policy file';

function policyOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${kLoading}: failed to read file path "${file}": open ${file}: ${systemMessage(error).toLowerCase()}`);
  }
}
