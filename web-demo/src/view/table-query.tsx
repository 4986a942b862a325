import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fieldsOf, labelsIn, type TableQuery } from '../api/table-query';
import type { Row } from '../api/types';

interface Props {
  /** `resourceId` of the table. */
  resource: string;
  rows: readonly Row[];
  query: TableQuery;
  onQuery(query: TableQuery): void;
}

/** Milliseconds after the last key until the server is asked. */
const kQuiet = 400;

/** Selects objects by labels and fields, on the server, and adds columns. */
export function TableQueryBar({ resource, rows, query, onQuery }: Props) {
  const [written, setWritten] = useState(query);
  const waiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    waiting.current = JSON.stringify(written) === JSON.stringify(query) ? undefined : () => onQuery(written);
    const timer = setTimeout(() => {
      waiting.current?.();
      waiting.current = undefined;
    }, kQuiet);
    return () => clearTimeout(timer);
  }, [written]);
  // What was written just before the bar is closed counts, too.
  useEffect(() => () => waiting.current?.(), []);
  const labels = useMemo(() => completed(written.labelSelector, labelsIn(rows)), [rows, written.labelSelector]);
  const fields = useMemo(() => completed(written.fieldSelector, fieldsOf(resource).map((each) => `${each}=`)), [resource, written.fieldSelector]);
  const set = (change: Partial<TableQuery>) => setWritten({ ...written, ...change });
  return (
    <div class="table-query" role="group" aria-label="Selectors and columns">
      <Field label="Labels" placeholder="app=web, tier in (a, b), !old" value={written.labelSelector} offers={labels} onInput={(labelSelector) => set({ labelSelector })} />
      <Field label="Fields" placeholder="status.phase=Running" value={written.fieldSelector} offers={fields} onInput={(fieldSelector) => set({ fieldSelector })} />
      <Field label="Columns" placeholder="Image:.spec.containers[*].image" value={written.columns} offers={[]} onInput={(columns) => set({ columns })} />
    </div>
  );
}

/** Returns whole selectors: what is written before the last comma, and each offer. */
function completed(written: string, offers: readonly string[]): string[] {
  const before = written.slice(0, written.lastIndexOf(',') + 1);
  return offers.map((each) => before + each);
}

function Field(props: { label: string; placeholder: string; value: string; offers: readonly string[]; onInput(value: string): void }) {
  const { label, placeholder, value, offers, onInput } = props;
  const list = `offers-${label}`;
  return (
    <label>
      <span>{label}</span>
      <input class="mono" list={list} value={value} placeholder={placeholder} spellcheck={false} autocapitalize="off" onInput={(event) => onInput(event.currentTarget.value)} />
      <datalist id={list}>
        {offers.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
}
