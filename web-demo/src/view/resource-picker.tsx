import { useEffect, useRef, useState } from 'preact/hooks';
import { type Group, matchesResource } from '../api/discovery';
import { resourceId } from '../api/paths';
import type { Resource } from '../api/types';
import { Icon } from './icon';

interface Props {
  groups: readonly Group[];
  selected: string;
  onSelect(resource: Resource): void;
}

/** Lists the served resources by group. `/` moves to the search, arrows move, Enter chooses. */
export function ResourcePicker({ groups, selected, onSelect }: Props) {
  const [query, setQuery] = useState('');
  // Only on a narrow screen, where the list is a menu below the search.
  const { open, setOpen, menu } = useMenu();
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const toSearch = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', toSearch);
    return () => removeEventListener('keydown', toSearch);
  }, []);

  const shown = groups
    .map(({ name, resources }) => ({ name, resources: resources.filter((each) => matchesResource(each, query)) }))
    .filter(({ resources }) => resources.length > 0);

  const walk = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const buttons = [...list.current!.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
    if (next < 0) box.current?.focus();
    else buttons[Math.min(next, buttons.length - 1)]?.focus();
  };
  const choose = (resource: Resource) => {
    setOpen(false);
    onSelect(resource);
  };
  const chooseFirst = (event: KeyboardEvent) => {
    const first = shown[0]?.resources[0];
    if (event.key === 'Enter' && first) choose(first);
    if (event.key === 'Escape') {
      setQuery('');
      setOpen(false);
    }
  };

  return (
    <nav class={`picker ${open ? 'open' : ''}`} aria-label="Resources" ref={menu} onKeyDown={walk}>
      <label class="search">
        <Icon name="search" />
        <input
          ref={box}
          type="search"
          placeholder="Find a resource"
          aria-label="Find a resource"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={chooseFirst}
          onFocus={() => setOpen(true)}
        />
        <kbd>/</kbd>
      </label>
      <div class="picker-list" ref={list}>
        {shown.map(({ name, resources }) => (
          <section key={name}>
            <h2>{name === '' ? 'core' : name}</h2>
            {resources.map((resource) => {
              const id = resourceId(resource);
              return (
                <button
                  key={id}
                  class="picker-item"
                  aria-current={id === selected ? 'page' : undefined}
                  title={`${id}${resource.shortNames.length > 0 ? ` (${resource.shortNames.join(', ')})` : ''}`}
                  onClick={() => choose(resource)}
                >
                  {resource.kind}
                </button>
              );
            })}
          </section>
        ))}
        {shown.length === 0 && query && <p class="empty">Nothing is called that.</p>}
        <a class="fine-print" href="./licenses.txt" rel="license">
          Software in this page
        </a>
      </div>
    </nav>
  );
}

/** Holds whether the menu is open. A click elsewhere closes it. */
function useMenu() {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const close = (event: Event) => {
      if (!event.composedPath().includes(menu.current!)) setOpen(false);
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, [open]);
  return { open, setOpen, menu };
}

/** Returns true if a key press belongs to a text field. */
function isTyping(event: KeyboardEvent): boolean {
  return event.composedPath().some((node) => {
    return node instanceof HTMLElement && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName));
  });
}
