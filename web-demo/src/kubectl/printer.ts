// Prints what a command did to an object: a line, or the object in the format of `-o`.
import type { Flags } from './flags';
import { type Found, outputText } from './output';
import { typeName } from './resources';
import type { Caller } from './session';

const kSuffix: Readonly<Record<string, string>> = { server: ' (server dry run)', client: ' (dry run)' };

export class Printer {
  readonly format: string;
  /** Nothing is sent. */
  readonly client: boolean;
  readonly suffix: string;
  readonly #dryRun: string;
  #printed = 0;

  constructor(
    private readonly caller: Caller,
    private readonly flags: Flags,
  ) {
    this.format = flags.get('output');
    this.#dryRun = flags.get('dry-run');
    this.client = this.#dryRun === 'client';
    this.suffix = kSuffix[this.#dryRun] ?? '';
  }

  /** Returns the path with the query of a write: dry run, field manager, and `more`. */
  target(path: string, manager: string, more: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams([...(this.#dryRun === 'server' ? [['dryRun', 'All']] : []), ['fieldManager', this.flags.get('field-manager') || manager], ...Object.entries(more)]);
    return `${path}?${query}`;
  }

  /** `deployment.apps/web scaled`. `suffix`: how a dry run is told. */
  done(found: Found, verb: string, suffix = this.suffix): void {
    if (this.format === '') this.caller.terminal.out(`${typeName(found.resource)}/${found.object.metadata.name} ${verb}${suffix}\n`);
    else {
      if (this.#printed++ > 0 && this.format === 'yaml') this.caller.terminal.out('---\n');
      this.caller.terminal.out(outputText(this.format, [found], true, this.flags.is('show-managed-fields')));
    }
  }
}
