import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LibraryView, SkillRow } from '../../src/library/views.ts';
import { count, number } from '../state/format.ts';
import { typed, typeFilter, writeFilter } from '../state/filter.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { totalCost } from './cost-bar.tsx';
import { KindFilter } from './kind-filter.tsx';
import { skillKinds } from './skill-kinds.ts';
import { SkillRows } from './skill-rows.tsx';

const orders = { name: 'Name', cost: 'Cost', start: 'Cost at the start' } as const;
type Order = keyof typeof orders;

interface SkillListProps {
  readonly view: LibraryView;
  readonly chosen: string | undefined;
}

/** All skills, or those that have every word of the search box and are of the chosen kind. */
export function SkillList({ view, chosen }: SkillListProps): VNode {
  const { query } = route.value;
  const { by = 'name', only } = query;
  const rows = useMemo(() => sorted(view.skills, by as Order), [view, by]);
  const largest = useMemo(() => Math.max(1, ...view.skills.map(({ cost }) => totalCost(cost))), [view]);
  const ofKind = useMemo(() => skillKinds.find(({ name }) => name === only), [only]);
  const kept = useMemo(() => (ofKind === undefined ? rows : rows.filter((row) => ofKind.has(row))), [rows, ofKind]);
  const found = matching(kept, typed.value);
  const isNarrowed = found.length !== rows.length;
  return (
    <>
      <KindFilter rows={view.skills} />
      <div class="list-head">
        <span role="status">{isNarrowed ? `${number(found.length)} of ${count(rows.length, 'skill')}` : count(rows.length, 'skill')}</span>
        <span class="orders" role="group" aria-label="Order">
          {Object.entries(orders).map(([name, title]) => (
            <a
              key={name}
              href={linkTo(route.value.parts, { ...query, by: name === 'name' ? '' : name })}
              onClick={writeFilter}
              aria-current={by === name ? 'true' : undefined}
            >
              {title}
            </a>
          ))}
        </span>
      </div>
      {found.length === 0 ? <NothingFound /> : <SkillRows rows={found} largest={largest} chosen={chosen} />}
    </>
  );
}

function NothingFound(): VNode {
  const { parts, query } = route.value;
  const all = (): void => {
    typeFilter('');
    writeFilter();
    goTo(linkTo(parts, { ...query, q: '', only: '' }), { replace: true });
  };
  return (
    <div class="padded">
      <p class="calm-line">No skill has all of these words in its name or description.</p>
      <p class="actions">
        <button type="button" class="secondary" onClick={all}>
          Show all skills
        </button>
        {typed.value.trim() === '' ? null : (
          <a class="secondary" href={linkTo(['library'], { q: typed.value, why: '1' })}>
            Search as an agent does
          </a>
        )}
      </p>
    </div>
  );
}

const texts = new WeakMap<SkillRow, string>();

function matching(rows: readonly SkillRow[], text: string): readonly SkillRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    let searched = texts.get(row);
    if (searched === undefined) {
      searched = `${row.name} ${row.description}`.toLowerCase();
      texts.set(row, searched);
    }
    return words.every((word) => searched.includes(word));
  });
}

function sorted(rows: readonly SkillRow[], by: Order): readonly SkillRow[] {
  const costs = new Map(rows.map((row) => [row, by === 'cost' ? totalCost(row.cost) : row.cost.line]));
  const cost = (row: SkillRow): number => costs.get(row) ?? 0;
  return by === 'cost' || by === 'start' ? [...rows].sort((a, b) => cost(b) - cost(a)) : rows;
}
