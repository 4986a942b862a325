import type { Manifest } from './options.js';

/**
 * A document of a manifest that could not be loaded.
 *
 * ```ts
 * const fault: LoadFault = { document: 2, message: 'no kind is registered for …' };
 * ```
 */
export interface LoadFault {
  /** Number of the document, counted from 1. */
  document: number;
  /** The message of the Status that a request would have got. */
  message: string;
}

/**
 * Some documents of a manifest could not be loaded. All others are in the cluster.
 *
 * ```ts
 * try {
 *   await cluster.load(yamlText);
 * } catch (error) {
 *   if (error instanceof LoadError) for (const { document, message } of error.faults) console.error(document, message);
 * }
 * ```
 */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  constructor(readonly faults: readonly LoadFault[]) {
    super(faults.map(({ document, message }) => `document ${document}: ${message}`).join('\n'));
  }
}

/** Joins everything that `load` accepts into one text of many documents. JSON is YAML. */
export function manifestText(manifest: Manifest): string {
  const documents: readonly (string | object)[] = Array.isArray(manifest) ? manifest : [manifest as string | object];
  return documents
    .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)))
    .join('\n---\n');
}
