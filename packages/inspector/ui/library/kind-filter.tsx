import type { VNode } from 'preact';
import type { SkillRow } from '../../src/library/views.ts';
import { writeFilter } from '../state/filter.ts';
import { number } from '../state/format.ts';
import { linkTo, route } from '../state/route.ts';
import { skillKinds } from './skill-kinds.ts';

/** How many skills of each kind there are. Each count narrows the list to them, and widens it again. */
export function KindFilter({ rows }: { readonly rows: readonly SkillRow[] }): VNode | null {
  const { parts, query } = route.value;
  const chosen = query['only'];
  const counted = skillKinds
    .map((kind) => ({ ...kind, figure: rows.filter((row) => kind.has(row)).length }))
    .filter(({ name, figure }) => figure > 0 || name === chosen);
  if (counted.length === 0) return null;
  return (
    <ul class="kinds" aria-label="Show only">
      {counted.map(({ name, title, meaning, isBad, figure }) => (
        <li key={name}>
          <a
            class={isBad ? 'kind bad' : 'kind'}
            href={linkTo(parts[0] === 'library' ? parts : ['library'], { ...query, only: chosen === name ? '' : name })}
            onClick={writeFilter}
            aria-current={chosen === name ? 'true' : undefined}
            title={meaning}
          >
            <b>{number(figure)}</b> {title}
            {chosen === name ? <span class="visually-hidden"> (shown alone; show all)</span> : null}
          </a>
        </li>
      ))}
    </ul>
  );
}
