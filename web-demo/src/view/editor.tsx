import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, codeFolding, foldedRanges, foldEffect, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../api/client';
import type { Assist, Cause } from './assist/assist';

export type Format = 'yaml' | 'json';

interface Range {
  from: number;
  to: number;
}

interface Props {
  text: string;
  format: Format;
  label: string;
  onChange(text: string): void;
  /** Called on Ctrl+S or Cmd+S, and on Ctrl+Enter or Cmd+Enter. */
  onSubmit(): void;
  /** Returns the part of a given text that is folded away until it is opened. */
  foldAt?(text: string): Range | undefined;
  /** The cluster whose schemas help to write. */
  client?: Client;
  /** What the server said about the text. */
  causes?: readonly Cause[];
}

/**
 * A text editor. It is in a shadow tree, because a strict content policy forbids the inline styles that it needs
 * elsewhere.
 */
export function Editor({ text, format, label, onChange, onSubmit, foldAt, client, causes }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const language = useRef(new Compartment());
  const help = useRef(new Compartment());
  const assist = useAssist(client);
  const latest = useRef({ onChange, onSubmit });
  latest.current = { onChange, onSubmit };

  useLayoutEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const submit = { run: () => (latest.current.onSubmit(), true), preventDefault: true };
    view.current = new EditorView({
      root,
      parent: root,
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        codeFolding(),
        history(),
        bracketMatching(),
        indentOnInput(),
        indentUnit.of('  '),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        EditorState.tabSize.of(2),
        syntaxHighlighting(kColours),
        kTheme,
        language.current.of(languageOf(format)),
        help.current.of([]),
        keymap.of([
          { key: 'Mod-s', ...submit },
          { key: 'Mod-Enter', ...submit },
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        // Focus is in the scrolled text, which the keyboard then scrolls; Escape and Tab lead on.
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-description': 'Escape, then Tab leaves it', tabindex: '0' }),
        typeOverSelection,
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || update.transactions.some((each) => each.annotation(given))) return;
          latest.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    const range = foldAt?.(text);
    if (range) view.current.dispatch({ effects: foldEffect.of(range) });
    return () => view.current?.destroy();
  }, []);

  useEffect(() => {
    if (assist) view.current?.dispatch({ effects: help.current.reconfigure(assist.extension) });
  }, [assist]);
  useEffect(() => {
    if (view.current) assist?.mark(view.current, causes ?? []);
  }, [assist, causes]);

  useLayoutEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(format)) });
  }, [format]);

  // Before the next input event: a later update would overwrite newer input with an older text.
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    const before = foldAt?.(editor.state.doc.toString());
    const opened = before !== undefined && !isFolded(editor.state, before);
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, annotations: given.of(true) });
    const range = opened ? undefined : foldAt?.(text);
    if (range) editor.dispatch({ effects: foldEffect.of(range) });
  }, [text]);

  return <div class="editor" ref={host} />;
}

/** Loads what helps to write. */
function useAssist(client: Client | undefined): Assist | undefined {
  const [assist, setAssist] = useState<Assist>();
  useEffect(() => {
    let shown = true;
    if (client) void import('./assist/assist').then(({ assistFor }) => shown && setAssist(assistFor(client)));
    return () => void (shown = false);
  }, [client]);
  return assist;
}

function isFolded(state: EditorState, { from, to }: Range): boolean {
  let folded = false;
  foldedRanges(state).between(from, to, () => void (folded = true));
  return folded;
}

/** Marks a change from outside, which is not reported by `onChange`. */
const given = Annotation.define<boolean>();

/** Chromium keeps the style of an overwritten selection as an inline style, which a strict content policy blocks. */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing) return false;
    if (view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

const languageOf = (format: Format) => (format === 'json' ? json() : yaml());

// The page's custom properties reach into the shadow tree, so light and dark need nothing else.
const kTheme = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '10px 0' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none', paddingLeft: '6px' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--muted)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--selection) !important',
  },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--raised)', color: 'var(--muted)', borderColor: 'var(--line-strong)', padding: '0 6px' },
  '.cm-foldGutter span': { cursor: 'pointer' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selection)' },
});

const kColours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.keyword], color: 'var(--code-value)' },
  { tag: [tags.comment, tags.meta], color: 'var(--faint)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--muted)' },
]);
