import type { VNode } from 'preact';
import type { SkillRow } from '../../src/library/views.ts';
import { short } from '../state/format.ts';
import { typed } from '../state/filter.ts';
import { goTo, linkTo, route } from '../state/route.ts';
import { VirtualList } from '../shared/virtual-list.tsx';
import { shown } from '../text/shown.tsx';
import { Badges } from './badges.tsx';
import { CostBar, totalCost } from './cost-bar.tsx';

interface SkillRowsProps {
  readonly rows: readonly SkillRow[];
  readonly largest: number;
  readonly chosen: string | undefined;
}

/** `library.css` has the same height. */
const rowPixels = 104;

/** Rows of skills, of which those on the screen are drawn. */
export function SkillRows({ rows, largest, chosen }: SkillRowsProps): VNode {
  return (
    <VirtualList
      class="skills"
      label="Skills"
      items={rows}
      keyOf={({ name }) => name}
      rowPixels={rowPixels}
      at={chosen === undefined ? undefined : rows.findIndex(({ name }) => name === chosen)}
      row={(row) => <Row row={row} largest={largest} isChosen={row.name === chosen} />}
    />
  );
}

interface RowProps {
  readonly row: SkillRow;
  readonly largest: number;
  readonly isChosen: boolean;
}

function Row({ row, largest, isChosen }: RowProps): VNode {
  return (
    <a
      class="skill"
      data-item
      href={linkTo(['library', row.name])}
      onClick={(event) => open(event, row.name)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="skill-head">
        <bdi class="skill-name">{shown(row.name)}</bdi> <Badges row={row} />
      </span>
      <span class="skill-tokens" title="Tokens, if all of it were read">
        {short(totalCost(row.cost))}
      </span>
      <bdi class="skill-description">{shown(row.description.slice(0, mostCharacters))}</bdi>
      <CostBar cost={row.cost} largest={largest} />
    </a>
  );
}

/** More does not fit into two lines. */
const mostCharacters = 400;

/** Opens a skill beside the list as it is filtered now. Other tabs and windows get the link itself. */
function open(event: MouseEvent, name: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  goTo(linkTo(['library', name], { ...route.value.query, q: typed.value, tab: '', file: '', severity: '' }));
}
