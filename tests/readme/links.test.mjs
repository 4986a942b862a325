// Tests that the links of the documents for users lead to files and headings that exist.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../', import.meta.url));
const markdown = (folder) => readdirSync(join(top, folder)).filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
const pages = ['.', 'docs', 'docs/guides', 'docs/reference', 'docs/reference/tabernetes', 'examples/dashboard'].flatMap(markdown);
const withoutCode = (text) => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '`');

/** Returns the anchors that GitHub makes of the headings of a page. */
function anchorsOf(text) {
  const seen = new Map();
  return [...text.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, title]) => {
    const anchor = title.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count ? `${anchor}-${count}` : anchor;
  });
}

for (const page of pages) {
  test(page, () => {
    const links = [...withoutCode(readFileSync(join(top, page), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
    for (const link of links.filter((each) => !/^https?:/.test(each))) {
      const [path, anchor] = link.split('#');
      const target = join(top, path ? join(dirname(page), path) : page);
      assert.ok(existsSync(target), `${page} links to ${link}, which is not there`);
      if (anchor && target.endsWith('.md')) assert.ok(anchorsOf(readFileSync(target, 'utf8')).includes(anchor), `${page} links to ${link}, which has no such heading`);
    }
  });
}
