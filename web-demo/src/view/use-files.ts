import { useEffect, useRef, useState } from 'preact/hooks';

/** Returns the texts of files, as one text of YAML documents. */
export async function textOfFiles(files: Iterable<File>): Promise<string> {
  const texts = await Promise.all([...files].map((file) => file.text()));
  return texts.map((text) => text.trimEnd()).join('\n---\n') + '\n';
}

/**
 * Calls `onText` with the text of files that are dropped on the page or pasted outside of a text field, or with such a
 * text itself. Returns true while files are dragged over the page.
 */
export function useFiles(onText: (text: string) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => {
    const stop = new AbortController();
    const take = (event: DragEvent | ClipboardEvent, data: DataTransfer | null) => {
      if (!data || data.files.length === 0) return false;
      event.preventDefault();
      void textOfFiles(data.files).then((text) => latest.current(text));
      return true;
    };
    const on = <Name extends keyof WindowEventMap>(name: Name, listener: (event: WindowEventMap[Name]) => void) =>
      addEventListener(name, listener, { signal: stop.signal });
    on('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', (event) => event.relatedTarget === null && setOver(false));
    on('drop', (event) => {
      setOver(false);
      take(event, event.dataTransfer);
    });
    on('paste', (event) => {
      if (isInField(event) || take(event, event.clipboardData)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() !== '') latest.current(text);
    });
    return () => stop.abort();
  }, []);
  return over;
}

function isInField(event: Event): boolean {
  return event.composedPath().some((node) => node instanceof HTMLElement && (node.isContentEditable || /^(INPUT|TEXTAREA)$/.test(node.tagName)));
}
