import type { Manifest } from './options.js';

/**
 * What is wrong with one document of a manifest.
 *
 * ```ts
 * const fault: LoadFault = { document: 2, message: 'no kind is registered for …' };
 * ```
 */
export interface LoadFault {
  /** Counted from 1. */
  document: number;
  /** The message of the Status that a request would have got. */
  message: string;
}

/**
 * Some documents of a manifest could not be loaded; the others are in the cluster.
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

/** One text of many documents out of all that `load` takes. JSON is YAML. */
export function manifestText(manifest: Manifest): string {
  const documents: readonly (string | object)[] = Array.isArray(manifest) ? manifest : [manifest as string | object];
  return documents
    .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)))
    .join('\n---\n');
}
