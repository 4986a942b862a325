// The statements of the tour, as web-demo/tour/*.yaml has them.
import { parse } from 'yaml';

/** A text in each language of the tour. */
export interface Words {
  en: string;
  uk: string;
}

/** What a proof needs of its cluster beyond the defaults; see `kinds.ts`. */
export type Needs = 'rbac' | 'cbor' | 'unsafe' | 'unsafe-rbac' | 'no-watch-list' | 'no-compression';

export interface Statement extends Words {
  id: string;
  /** Begins a part of the section. */
  heading?: Words;
  with?: Needs;
  /** Left out if no request can show it. */
  proof?: string;
}

export interface Section {
  /** `overview`, from the name of the file. */
  id: string;
  title: Words;
  statements: Statement[];
}

/** `files`: texts by path. Returns the sections in the order of the names. */
export function readSections(files: Readonly<Record<string, string>>): Section[] {
  return Object.entries(files)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([path, text]) => ({ id: /\d+-([\w-]+)\.yaml$/.exec(path)![1]!, ...(parse(text) as Omit<Section, 'id'>) }));
}
