import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { number } from '../state/format.ts';
import { shownPlain } from '../text/hidden-parts.ts';
import { shown } from '../text/shown.tsx';

/** Something that can be chosen. */
export interface Choice {
  readonly value: string;
  /** @default the value */
  readonly title?: string | undefined;
}

interface ComboboxProps {
  readonly label: string;
  /** Whether the label is only read aloud. */
  readonly isLabelHidden?: boolean | undefined;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
}

/** The most choices that are drawn. Whoever looks for another types a part of it. */
const most = 60;

/** Chooses one of few or of thousands: typing finds it, arrows walk through what was found. */
export function Combobox({ label, isLabelHidden = false, choices, value, onChange, placeholder }: ComboboxProps): VNode {
  const id = useId();
  /** What was typed; `null` while the list is closed. */
  const typed = useSignal<string | null>(null);
  const active = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const titleOf = (choice: Choice): string => choice.title ?? choice.value;
  const chosen = choices.find((choice) => choice.value === value);
  const isOpen = typed.value !== null;
  const wanted = (typed.value ?? '').toLowerCase();
  const found = wanted === '' ? choices : choices.filter((choice) => titleOf(choice).toLowerCase().includes(wanted));
  const drawn = found.slice(0, most);

  const open = (): void => {
    if (isOpen) return;
    typed.value = '';
    active.value = Math.max(0, choices.slice(0, most).indexOf(chosen ?? { value }));
  };
  const close = (): void => {
    typed.value = null;
  };
  const choose = (choice: Choice | undefined): void => {
    close();
    if (choice !== undefined && choice.value !== value) onChange(choice.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      if (isOpen) active.value = Math.max(0, Math.min(drawn.length - 1, active.value + step));
      else open();
    } else if (event.key === 'Enter' && isOpen) choose(drawn[active.value]);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [active.value, isOpen]);

  return (
    <div class="combobox">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : 'combobox-label'}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && drawn.length > 0 ? `${id}-${active.value}` : undefined}
        placeholder={isOpen && chosen !== undefined ? shownPlain(titleOf(chosen)) : (placeholder ?? '')}
        value={typed.value ?? shownPlain(chosen === undefined ? value : titleOf(chosen))}
        onClick={open}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <span class="combobox-arrow" aria-hidden="true" />
      <div class="combobox-popup" hidden={!isOpen}>
        {/* The list exists while it is closed, because the field names it. */}
        <ul id={`${id}-list`} role="listbox" aria-label={label} ref={list}>
          {isOpen
            ? drawn.map((choice, index) => (
                <li
                  key={choice.value}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === active.value}
                  class={choice.value === value ? 'chosen' : ''}
                  // The field keeps the focus, so that leaving it still means giving up.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(choice)}
                >
                  {shown(titleOf(choice))}
                </li>
              ))
            : null}
        </ul>
        {isOpen && found.length > drawn.length ? <p>and {number(found.length - drawn.length)} more: type to find them</p> : null}
        {isOpen && found.length === 0 ? <p role="status">Nothing has “{typed.value}” in its name.</p> : null}
      </div>
    </div>
  );
}
