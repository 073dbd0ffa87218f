import type { VNode } from 'preact';
import type { LibraryView, SkillRow } from '../../src/library/views.ts';
import { count, short } from '../state/format.ts';
import { linkTo, route } from '../state/route.ts';
import { Badges } from './badges.tsx';
import { CostBar, totalCost } from './cost-bar.tsx';

const orders = { name: 'Name', cost: 'Cost', start: 'Cost at the start' } as const;
type Order = keyof typeof orders;

/**
 * All skills. Thousands of rows need no virtual list: the browser leaves out what is not on the screen (`content-visibility`), and what is
 * found by the browser's own search, by a screen reader and by the keyboard is the whole list.
 */
export function SkillList({ view, chosen }: { readonly view: LibraryView; readonly chosen: string | undefined }): VNode {
  const { query } = route.value;
  const { q = '', by = 'name' } = query;
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const matching = view.skills.filter(({ name, description }) =>
    words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
  const shown = sorted(matching, by as Order);
  const largest = Math.max(1, ...view.skills.map(({ cost }) => totalCost(cost)));
  if (shown.length === 0) return <p class="calm-line padded">No skill has all of these words in its name or description.</p>;
  return (
    <>
      <div class="list-head">
        <span role="status">
          {shown.length === view.skills.length ? count(shown.length, 'skill') : `${shown.length} of ${count(view.skills.length, 'skill')}`}
        </span>
        <span class="orders" role="group" aria-label="Order">
          {Object.entries(orders).map(([name, title]) => (
            <a
              href={linkTo(route.value.parts, { ...query, by: name === 'name' ? '' : name })}
              aria-current={by === name ? 'true' : undefined}
            >
              {title}
            </a>
          ))}
        </span>
      </div>
      <ul class="skills" data-list>
        {shown.map((row) => (
          <Row key={row.name} row={row} largest={largest} isChosen={row.name === chosen} query={query} />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly row: SkillRow;
  readonly largest: number;
  readonly isChosen: boolean;
  readonly query: Readonly<Record<string, string>>;
}

function Row({ row, largest, isChosen, query }: RowProps): VNode {
  return (
    <li class="skill">
      <a data-item href={linkTo(['library', row.name], { ...query, tab: '', file: '' })} aria-current={isChosen ? 'true' : undefined}>
        <span class="skill-name">
          {row.name} <Badges row={row} />
        </span>
        <span class="skill-tokens" title="Tokens, if all of it were read">
          {short(totalCost(row.cost))}
        </span>
        <span class="skill-description">{row.description}</span>
        <CostBar cost={row.cost} largest={largest} />
      </a>
    </li>
  );
}

function sorted(rows: readonly SkillRow[], by: Order): readonly SkillRow[] {
  if (by === 'cost') return [...rows].sort((a, b) => totalCost(b.cost) - totalCost(a.cost));
  return by === 'start' ? [...rows].sort((a, b) => b.cost.line - a.cost.line) : rows;
}
