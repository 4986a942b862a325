#!/usr/bin/env node
// Links, and keeps the map that the linker prints (Emscripten does not let it write a file):
//
//   node wasm/split/keep_map.mjs MAP COMMAND...
import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';

const [map, command, ...options] = process.argv.slice(2);
const { status, error } = spawnSync(command, options, { stdio: ['inherit', openSync(map, 'w'), 'inherit'] });
if (error) console.error(String(error));
process.exit(status ?? 1);
