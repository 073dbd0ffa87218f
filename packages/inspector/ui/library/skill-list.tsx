import type { VNode } from 'preact';
import type { LibraryView, SkillRow } from '../../src/library/views.ts';
import { count, short } from '../state/format.ts';
import { goTo, linkTo, route } from '../state/route.ts';
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
  const matching = new Set(
    view.skills.filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word))),
  );
  const largest = Math.max(1, ...view.skills.map(({ cost }) => totalCost(cost)));
  return (
    <>
      <div class="list-head">
        <span role="status">
          {matching.size === view.skills.length
            ? count(matching.size, 'skill')
            : `${matching.size} of ${count(view.skills.length, 'skill')}`}
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
      {matching.size === 0 ? <p class="calm-line padded">No skill has all of these words in its name or description.</p> : null}
      <ul class="skills" data-list>
        {sorted(view.skills, by as Order).map((row) =>
          keptRow({ row, largest, isChosen: row.name === chosen, isHidden: !matching.has(row) }),
        )}
      </ul>
    </>
  );
}

interface RowProps {
  readonly row: SkillRow;
  readonly largest: number;
  readonly isChosen: boolean;
  /** Filtered out. Its elements stay, since making them anew costs more than all else. */
  readonly isHidden: boolean;
}

const kept = new WeakMap<SkillRow, RowProps & { readonly element: VNode }>();

/** The element of a row. As long as it is the same object, nothing of the row is compared: a letter in the filter costs what it changes. */
function keptRow(props: RowProps): VNode {
  const before = kept.get(props.row);
  if (before !== undefined && before.largest === props.largest && before.isChosen === props.isChosen && before.isHidden === props.isHidden)
    return before.element;
  const element = <Row key={props.row.name} {...props} />;
  kept.set(props.row, { ...props, element });
  return element;
}

function Row({ row, largest, isChosen, isHidden }: RowProps): VNode {
  return (
    <li class="skill" hidden={isHidden}>
      <a
        data-item
        href={linkTo(['library', row.name])}
        onClick={(event) => open(event, row.name)}
        aria-current={isChosen ? 'true' : undefined}
      >
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

/** Opens a skill beside the list as it is filtered now. Other tabs and windows get the link itself. */
function open(event: MouseEvent, name: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  goTo(linkTo(['library', name], { ...route.value.query, tab: '', file: '' }));
}

function sorted(rows: readonly SkillRow[], by: Order): readonly SkillRow[] {
  if (by === 'cost') return [...rows].sort((a, b) => totalCost(b.cost) - totalCost(a.cost));
  return by === 'start' ? [...rows].sort((a, b) => b.cost.line - a.cost.line) : rows;
}
