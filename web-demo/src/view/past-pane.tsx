import '../style/past.css';
import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../api/client';
import { type Change, changesBetween, knownVersions, listAt } from '../api/past';
import { resourcePath } from '../api/paths';
import type { Resource } from '../api/types';
import { ChangeList } from './change-list';
import { Icon } from './icon';

interface Props {
  client: Client;
  resource: Resource;
  namespace: string;
  onClose(): void;
}

const kSettled = 120;

/** Reads the table's collection at two versions, and shows what changed between them. */
export function PastPane({ client, resource, namespace, onClose }: Props) {
  const path = resourcePath(resource, namespace);
  const { known, fault, look } = useKnownVersions(client, path);
  const [from, setFrom] = useState<number>();
  const [to, setTo] = useState<number>();
  useEffect(() => {
    if (!known) return;
    setFrom(known.oldest);
    setTo(known.newest);
  }, [known]);
  return (
    <section class="pane object-pane past-pane" aria-label="Past versions">
      <div class="pane-head">
        <h2>{resource.kind} at two versions</h2>
        <span class="grow" />
        <button class="button quiet" onClick={look}>
          Look again
        </button>
        <button class="button quiet icon-only" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {fault && <p class="empty">{fault}</p>}
      {!known && !fault && <p class="empty">Looking for the oldest version that can be read…</p>}
      {known && from !== undefined && to !== undefined && (
        <>
          <div class="versions">
            <VersionSlider label="From version" value={from} {...known} onChange={setFrom} />
            <VersionSlider label="To version" value={to} {...known} onChange={setTo} />
          </div>
          <Changes client={client} path={path} from={from} to={to} />
        </>
      )}
    </section>
  );
}

function VersionSlider(props: { label: string; value: number; oldest: number; newest: number; onChange(value: number): void }) {
  const { label, value, oldest, newest, onChange } = props;
  return (
    <label>
      <span>
        {label} <span class="mono">{value}</span>
      </span>
      <input type="range" min={oldest} max={newest} value={value} onInput={(event) => onChange(Number(event.currentTarget.value))} />
    </label>
  );
}

function useKnownVersions(client: Client, path: string) {
  const [known, setKnown] = useState<{ oldest: number; newest: number }>();
  const [fault, setFault] = useState('');
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let shown = true;
    setKnown(undefined);
    setFault('');
    knownVersions(client, path).then(
      (found) => shown && setKnown(found),
      (error: Error) => shown && setFault(error.message),
    );
    return () => void (shown = false);
  }, [client, path, turn]);
  return { known, fault, look: () => setTurn((last) => last + 1) };
}

interface Compared {
  counts: [number, number];
  changes: Change[];
}

function Changes({ client, path, from, to }: { client: Client; path: string; from: number; to: number }) {
  const [compared, setCompared] = useState<Compared | string>('Reading…');
  useEffect(() => {
    let shown = true;
    const timer = setTimeout(async () => {
      try {
        const [before, after] = await Promise.all([listAt(client, path, from), listAt(client, path, to)]);
        if (!shown) return;
        if (!before || !after) setCompared(`410 Gone: the server no longer knows version ${before ? to : from}. Look again for the oldest.`);
        else setCompared({ counts: [before.items.length, after.items.length], changes: changesBetween(before, after) });
      } catch (error) {
        if (shown) setCompared((error as Error).message);
      }
    }, kSettled);
    return () => {
      shown = false;
      clearTimeout(timer);
    };
  }, [client, path, from, to]);
  if (typeof compared === 'string') return <p class="empty">{compared}</p>;
  const { counts, changes } = compared;
  return (
    <div class="changes" role="region" aria-label="Changes" tabIndex={0}>
      <p class="muted" role="status">
        {counts[0]} objects at {from}, {counts[1]} at {to}: {changes.length === 0 ? 'the same' : `${changes.length} differ`}
      </p>
      <ChangeList changes={changes} />
    </div>
  );
}
