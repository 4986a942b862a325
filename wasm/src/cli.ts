#!/usr/bin/env node
// The command `tabernetes` on the WASM core in Node: the same command line as the native binary.
import { parseCommandLine } from './cli/flags.js';
import { serve } from './cli/serve.js';

const line = parseCommandLine(process.argv.slice(2));
if (line.serve) {
  await serve(line.serve);
} else {
  process.stdout.write(line.out);
  process.stderr.write(line.err);
  process.exitCode = line.exitCode;
}
