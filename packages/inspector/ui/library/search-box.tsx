import type { VNode } from 'preact';
import { isReport } from '../state/api.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { Icon } from '../shared/icons.tsx';

/** Filters the list while somebody types; with `Explain`, it searches as an agent does. */
export function SearchBox({ query, explained }: { readonly query: string; readonly explained: boolean }): VNode {
  const { parts } = route.value;
  const go = (q: string, why: boolean): void => goTo(linkTo(parts, { q, why: why ? '1' : '' }), { replace: true });
  return (
    <search class="search-box">
      <label>
        <span class="visually-hidden">Search skills</span>
        <Icon name="search" />
        <input
          type="search"
          data-key="/"
          placeholder={explained ? 'What an agent would search for' : 'Find a skill'}
          value={query}
          onInput={(event) => go(event.currentTarget.value, explained)}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      {isReport ? null : (
        <button type="button" class={explained ? 'toggle on' : 'toggle'} aria-pressed={explained} onClick={() => go(query, !explained)}>
          Explain
        </button>
      )}
    </search>
  );
}
