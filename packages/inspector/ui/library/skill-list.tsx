import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LibraryView, SkillRow } from '../../src/library/views.ts';
import { count } from '../state/format.ts';
import { typed, writeFilter } from '../state/filter.ts';
import { linkTo, route } from '../state/route.ts';
import { totalCost } from './cost-bar.tsx';
import { SkillRows } from './skill-rows.tsx';

const orders = { name: 'Name', cost: 'Cost', start: 'Cost at the start' } as const;
type Order = keyof typeof orders;

interface SkillListProps {
  readonly view: LibraryView;
  readonly chosen: string | undefined;
}

/**
 * All skills, or those that have every word of the search box. The list of all stays as it is while somebody types: it is only put aside, and
 * what was found is a second list beside it.
 */
export function SkillList({ view, chosen }: SkillListProps): VNode {
  const { query } = route.value;
  const { by = 'name' } = query;
  const rows = useMemo(() => sorted(view.skills, by as Order), [view, by]);
  const largest = useMemo(() => Math.max(1, ...view.skills.map(({ cost }) => totalCost(cost))), [view]);
  const all = useMemo(() => <SkillRows rows={rows} largest={largest} chosen={chosen} />, [rows, largest, chosen]);
  const found = matching(rows, typed.value);
  return (
    <>
      <div class="list-head">
        <span role="status">{found === null ? count(rows.length, 'skill') : `${found.length} of ${count(rows.length, 'skill')}`}</span>
        <span class="orders" role="group" aria-label="Order">
          {Object.entries(orders).map(([name, title]) => (
            <a
              href={linkTo(route.value.parts, { ...query, by: name === 'name' ? '' : name })}
              onClick={writeFilter}
              aria-current={by === name ? 'true' : undefined}
            >
              {title}
            </a>
          ))}
        </span>
      </div>
      {found?.length === 0 ? <p class="calm-line padded">No skill has all of these words in its name or description.</p> : null}
      {found === null ? null : <SkillRows rows={found} largest={largest} chosen={chosen} most={mostFound} />}
      <div class={found === null ? undefined : 'put-aside'} aria-hidden={found !== null}>
        {all}
      </div>
    </>
  );
}

/** Rows that are found and shown. Whoever looks for something writes another word rather than reading more. */
const mostFound = 200;

const texts = new WeakMap<SkillRow, string>();

/** The rows that have all words of a text; `null` for a text without words, which is no filter. */
function matching(rows: readonly SkillRow[], text: string): readonly SkillRow[] | null {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
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
