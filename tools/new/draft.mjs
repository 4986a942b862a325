// Collects changes of files, which are written together or not at all.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clangTool } from '../lib/clang.mjs';

/** The reason why nothing is written, in one line. */
export class Refusal extends Error {}

/** Paths are from the top of the tree, with slashes. */
export class Draft {
  #top;
  #texts = new Map();

  constructor(top) {
    this.#top = top;
  }

  path(path) {
    return join(this.#top, path);
  }

  exists(path) {
    return this.#texts.has(path) || existsSync(this.path(path));
  }

  read(path) {
    return this.#texts.get(path) ?? readFileSync(this.path(path), 'utf8');
  }

  /** Returns the names of the files in a folder; none if there is no such folder. */
  list(path) {
    return existsSync(this.path(path)) ? readdirSync(this.path(path)).sort() : [];
  }

  /** Returns the names of the folders in a folder. */
  folders(path) {
    return readdirSync(this.path(path), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
  }

  /** Adds a file. Throws a Refusal if it exists. */
  create(path, text) {
    if (this.exists(path)) throw new Refusal(`${path} exists`);
    this.#texts.set(path, text);
  }

  /** Replaces the text of a file by the result of `edit`. */
  change(path, edit) {
    this.#texts.set(path, edit(this.read(path)));
  }

  /** Writes all files, and formats the C++ files. Returns a line for each file. */
  write() {
    const lines = [...this.#texts].map(([path, text]) => {
      const line = `${existsSync(this.path(path)) ? 'changed' : 'new    '}  ${path}`;
      mkdirSync(dirname(this.path(path)), { recursive: true });
      writeFileSync(this.path(path), text);
      return line;
    });
    const program = clangTool('clang-format');
    const sources = [...this.#texts.keys()].filter((path) => /\.(cc|h)$/.test(path));
    if (program && sources.length) spawnSync(program, ['-i', '--style=file', ...sources], { cwd: this.#top, stdio: 'inherit' });
    return lines;
  }
}
