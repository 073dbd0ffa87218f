import type { VNode } from 'preact';
import { isReport } from '../state/api.ts';
import { typed, typeFilter } from '../state/filter.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { Icon } from '../shared/icons.tsx';

/** Filters the list while somebody types; with `Explain`, it searches as an agent does. */
export function SearchBox({ explained }: { readonly explained: boolean }): VNode {
  const explain = (): void => {
    const { parts, query } = route.value;
    goTo(linkTo(parts, { ...query, q: typed.value, why: explained ? '' : '1' }), { replace: true });
  };
  return (
    <search class="search-box">
      <label>
        <span class="visually-hidden">Search skills</span>
        <Icon name="search" />
        <input
          type="search"
          data-key="/"
          placeholder={explained ? 'What an agent would search for' : 'Find a skill'}
          value={typed.value}
          onInput={(event) => typeFilter(event.currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      {isReport ? null : (
        <button type="button" class={explained ? 'toggle on' : 'toggle'} aria-pressed={explained} onClick={explain}>
          Explain
        </button>
      )}
    </search>
  );
}
