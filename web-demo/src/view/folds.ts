// Which part of an object's text is folded away at first.

// The server's own YAML and JSON are regular, so that no parser is needed.
const kYaml = /^ {2}managedFields:(?=\n)(?:\n(?: {2}- | {3,}).*)+/m;
const kJson = /^ {4}"managedFields": \[[^]*?\n {4}(?=\])/m;

/** Returns the range of the text below `managedFields`; undefined if it has none. */
export function managedFieldsRange(text: string): { from: number; to: number } | undefined {
  const found = kYaml.exec(text) ?? kJson.exec(text);
  if (!found) return undefined;
  return { from: found.index + found[0].indexOf('\n'), to: found.index + found[0].length };
}
