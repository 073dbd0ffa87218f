import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SkillRow } from '../../src/library/views.ts';
import { count, short } from '../state/format.ts';
import { typed } from '../state/filter.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { Badges } from './badges.tsx';
import { CostBar, totalCost } from './cost-bar.tsx';

interface SkillRowsProps {
  readonly rows: readonly SkillRow[];
  readonly largest: number;
  readonly chosen: string | undefined;
  /** How many are shown at most; a line says how many more there are. @default all */
  readonly most?: number;
}

/** Rows that are drawn at once: more than a screen shows. */
const firstRows = 20;
/** Rows that are added in each pause of the browser: few enough that a key is never waited for. */
const moreRows = 25;

/**
 * Rows of skills. The first of them are drawn at once, the others bit by bit while the browser has nothing to do. Thousands of rows need no virtual
 * list: the browser leaves out what is not on the screen (`content-visibility`), and what is found by the browser's own search, by a screen
 * reader and by the keyboard is the whole list.
 */
export function SkillRows({ rows, largest, chosen, most = rows.length }: SkillRowsProps): VNode {
  // Other rows begin anew: as many as there were before would be drawn in one go.
  const [drawn, setDrawn] = useState({ rows, shown: firstRows });
  const shown = drawn.rows === rows ? drawn.shown : firstRows;
  const wanted = Math.min(most, rows.length);
  const elements = useRef(new WeakMap<SkillRow, RowProps & { readonly element: VNode }>()).current;
  // As long as its element is the same object, nothing of a row is compared: a step costs what it adds.
  const element = (props: RowProps): VNode => {
    const before = elements.get(props.row);
    if (before !== undefined && before.largest === props.largest && before.isChosen === props.isChosen) return before.element;
    const made = <Row key={props.row.name} {...props} />;
    elements.set(props.row, { ...props, element: made });
    return made;
  };
  useEffect(() => (shown < wanted ? whenIdle(() => setDrawn({ rows, shown: shown + moreRows })) : undefined), [rows, shown, wanted]);
  return (
    <>
      <ul class="skills" data-list>
        {rows.slice(0, Math.min(shown, wanted)).map((row) => element({ row, largest, isChosen: row.name === chosen }))}
      </ul>
      {wanted < rows.length && shown >= wanted ? (
        <p class="calm-line padded">and {count(rows.length - wanted, 'more skill')}. Another word finds fewer.</p>
      ) : null}
    </>
  );
}

interface RowProps {
  readonly row: SkillRow;
  readonly largest: number;
  readonly isChosen: boolean;
}

function Row({ row, largest, isChosen }: RowProps): VNode {
  return (
    <li class="skill">
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
  goTo(linkTo(['library', name], { ...route.value.query, q: typed.value, tab: '', file: '' }));
}

/** Calls back in a pause, and returns what gives it up. Safari has no `requestIdleCallback`. */
function whenIdle(callback: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(callback, { timeout: 1_000 });
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(callback, 16);
  return () => clearTimeout(id);
}
