import type { ApplyConflict, FieldManager, OwnedField } from 'tabernetes';
import type { Line } from '../bench/lines';

interface Props {
  lines: readonly Line[];
  owners: readonly OwnedField[];
  conflicts: readonly ApplyConflict[];
  /** The names of all managers; the index determines the colour. */
  managers: readonly string[];
}

const kSigns = { added: '+', changed: '~', removed: '−' } as const;

/** Shows an object line by line, with the owners of each field. */
export function OwnedLines({ lines, owners, conflicts, managers }: Props) {
  const byPointer = new Map(owners.flatMap((field) => (field.pointer ? [[field.pointer, field] as const] : [])));
  const fought = new Set(conflicts.flatMap(({ fields }) => fields));
  return (
    <div class="owned-lines" role="table" aria-label="Result" tabIndex={0}>
      {lines.map((line, i) => {
        const fields = line.pointers.flatMap((pointer) => byPointer.get(pointer) ?? []);
        const own = fields.at(-1);
        const conflict = fields.some(({ path }) => fought.has(path));
        return (
          <div key={i} role="row" class={`owned-line ${line.change ?? ''} ${conflict ? 'conflict' : ''}`}>
            <span class="sign" role="cell">
              {conflict ? '!' : line.change ? kSigns[line.change] : ''}
            </span>
            <span class="line-text mono" role="cell" title={own?.path}>
              {'  '.repeat(line.depth)}
              {line.dash && '- '}
              {line.name !== undefined && <span class="line-name">{line.name}</span>}
              {line.name !== undefined && ':'}
              {line.value !== undefined && <span class="line-value"> {line.value}</span>}
              {line.was !== undefined && <del class="line-was">{line.was}</del>}
            </span>
            <span class="line-owners" role="cell">
              {distinct(fields.flatMap((field) => field.managers)).map((manager) => (
                <OwnerChip key={keyOf(manager)} manager={manager} managers={managers} />
              ))}
            </span>
          </div>
        );
      })}
    </div>
  );
}

export function OwnerChip({ manager, managers }: { manager: FieldManager; managers: readonly string[] }) {
  const { operation, apiVersion, subresource, time } = manager;
  const through = subresource ? ` through ${subresource}` : '';
  const since = time ? `, ${time.replace('T', ' ').replace('Z', ' UTC')}` : '';
  return (
    <span class={`owner owner-${managers.indexOf(manager.manager) % 8}`} title={`${operation} of ${apiVersion}${through}${since}`}>
      {manager.manager}
      {subresource && <small>/{subresource}</small>}
      {operation === 'Apply' && <small> applies</small>}
    </span>
  );
}

const keyOf = ({ manager, operation, apiVersion, subresource }: FieldManager) => `${manager} ${operation} ${apiVersion} ${subresource}`;

function distinct(managers: readonly FieldManager[]): FieldManager[] {
  return [...new Map(managers.map((manager) => [keyOf(manager), manager])).values()];
}
