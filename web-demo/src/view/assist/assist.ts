// What helps while objects are written: completion, hover texts, and problems beside their lines.
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { Client } from '../../api/client';
import { type Located, type Path, schemaAt, Schemas, typeName } from '../../api/schemas';
import { complete } from './complete';
import { type Manifest, pathOfField, placeOf, rangeOf, readText, walk } from './places';
import { problemsExtension, setProblems } from './problems';
import { problemsIn } from './validate';

export interface Cause {
  field?: string;
  message?: string;
}

export interface Assist {
  extension: Extension;
  /** Shows what the server said beside the lines that it is about. */
  mark(view: EditorView, causes: readonly Cause[]): void;
}

/** Milliseconds after the last key. */
const kQuiet = 350;
/** Characters; validation of longer texts would be felt. */
const kMostText = 400_000;

const schemasOf = new WeakMap<Client, Schemas>();

export function assistFor(client: Client): Assist {
  const schemas = schemasOf.get(client) ?? new Schemas(client);
  schemasOf.set(client, schemas);
  const find = ({ apiVersion, kind }: { apiVersion: string; kind: string }) => schemas.find(apiVersion, kind);
  return {
    extension: [
      problemsExtension,
      validation(find),
      hover(find),
      autocompletion({ override: [(context) => complete(context, () => find(kindAround(context.state.doc.toString(), context.pos)))], icons: false }),
      Prec.high(keymap.of(completionKeymap)),
      kTheme,
    ],
    mark(view, causes) {
      const [manifest] = readText(view.state.doc.toString()).manifests;
      const found = manifest ? causes.flatMap(({ field, message }) => problemOf(manifest, field ?? '', message ?? '')) : [];
      setProblems(view, 'server', found);
      if (found[0]) view.dispatch({ effects: EditorView.scrollIntoView(found[0].from, { y: 'center' }) });
    },
  };
}

function problemOf(manifest: Manifest, field: string, message: string) {
  const place = placeOf(manifest.root, pathOfField(field));
  return place ? [{ ...place, message: message || field, source: 'server' as const }] : [];
}

type Find = (manifest: { apiVersion: string; kind: string }) => Promise<Located | undefined>;

/** Reads the kind of the document around a position, also while it is no YAML. */
function kindAround(text: string, pos: number): { apiVersion: string; kind: string } {
  const from = text.lastIndexOf('\n---', pos) + 1;
  const next = text.indexOf('\n---', pos);
  const document = text.slice(from, next < 0 ? undefined : next);
  const value = (name: string) => new RegExp(`^"?${name}"?: *"?([\\w./-]+)`, 'm').exec(document)?.[1] ?? '';
  return { apiVersion: value('apiVersion'), kind: value('kind') };
}

function validation(find: Find): Extension {
  return ViewPlugin.fromClass(
    class {
      #timer: ReturnType<typeof setTimeout> | undefined;
      #ended = false;
      constructor(private readonly view: EditorView) {
        this.#later();
      }
      update({ docChanged }: ViewUpdate) {
        if (docChanged) this.#later();
      }
      destroy() {
        this.#ended = true;
        clearTimeout(this.#timer);
      }
      #later() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#look(), kQuiet);
      }
      async #look() {
        const { doc } = this.view.state;
        if (doc.length > kMostText) return;
        const { manifests, fault } = readText(doc.toString());
        const found = await Promise.all(
          manifests.map(async (each) => {
            const schema = await find(each);
            return schema ? problemsIn(each, schema) : [];
          }),
        );
        if (this.#ended || this.view.state.doc !== doc) return; // another look is coming
        setProblems(this.view, 'schema', [...found.flat(), ...(fault ? [{ ...fault, source: 'schema' as const }] : [])]);
      }
    },
  );
}

function hover(find: Find): Extension {
  return hoverTooltip(async (view, pos) => {
    for (const manifest of readText(view.state.doc.toString()).manifests) {
      if (pos < manifest.from || pos > manifest.to) continue;
      const place = fieldAt(manifest, pos);
      const schema = place && (await find(manifest));
      const found = schema && schemaAt(schema, place.path);
      if (!found) return null;
      return { pos: place.from, end: place.to, above: false, create: () => ({ dom: hoverText(place.path, found) }) };
    }
    return null;
  });
}

function fieldAt({ root }: Manifest, pos: number): { path: Path; from: number; to: number } | undefined {
  let found: { path: Path; from: number; to: number } | undefined;
  walk(root, [], (path, key, value) => {
    for (const range of [key, value && 'value' in value ? rangeOf(value) : undefined]) if (range && range.from <= pos && pos <= range.to) found = { path, ...range };
  });
  return found;
}

function hoverText(path: Path, found: Located): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-field-text';
  const head = document.createElement('strong');
  head.textContent = `${path.filter((step) => typeof step === 'string').join('.')}: ${typeName(found)}`;
  const text = document.createElement('p');
  text.textContent = found.schema.description ?? '';
  element.append(head, text);
  return element;
}

const kTheme = EditorView.theme({
  '.cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--raised)', border: '1px solid var(--line-strong)', borderRadius: '6px', fontFamily: 'var(--sans)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', backgroundColor: 'var(--selected)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '320px', maxHeight: '220px', overflow: 'auto', padding: '6px 10px', fontSize: '12px' },
  // There is no room for it beside the list.
  '@media (max-width: 600px)': { '.cm-completionInfo': { display: 'none' } },
  '.cm-field-text': { maxWidth: '420px', maxHeight: '260px', overflow: 'auto', padding: '6px 10px', fontSize: '12px' },
  '.cm-field-text p': { margin: '4px 0 0', whiteSpace: 'pre-wrap' },
});
