#!/usr/bin/env node
// The command `tabernetes`: runs the WebAssembly core in Node, with the command line of the native binary.
import { checkFiles } from './cli/check-command.js';
import { runDataCommand } from './cli/data-commands.js';
import { parseCommandLine } from './cli/flags.js';
import { serve } from './cli/serve.js';

const line = parseCommandLine(process.argv.slice(2));
if (line.serve) {
  await serve(line.serve);
} else if (line.check) {
  checkFiles(line.check);
} else if (line.data) {
  await runDataCommand(line.data);
} else {
  process.stdout.write(line.out);
  process.stderr.write(line.err);
  process.exitCode = line.exitCode;
}
