import type { VNode } from 'preact';
import type { SkillCost } from '../../src/library/views.ts';
import { number } from '../state/format.ts';

/** The parts of a cost, in the order in which a model gets to them. */
export const costParts = [
  { name: 'line', title: 'catalog line' },
  { name: 'body', title: 'instructions' },
  { name: 'reference', title: 'references' },
  { name: 'script', title: 'scripts' },
  { name: 'example', title: 'examples' },
  { name: 'asset', title: 'assets' },
  { name: 'other', title: 'other files' },
] as const;

export type CostPart = (typeof costParts)[number]['name'];

export function partOf(cost: SkillCost, part: CostPart): number {
  return part === 'line' || part === 'body' ? cost[part] : (cost.files[part] ?? 0);
}

/** Everything that a skill could cost, if all of it were read. */
export function totalCost(cost: SkillCost): number {
  return costParts.reduce((sum, { name }) => sum + partOf(cost, name), 0);
}

interface CostBarProps {
  readonly cost: SkillCost;
  readonly largest: number;
  readonly scale?: 'root' | 'linear';
}

/** A bar of a skill's cost. By default its length is a square root, so that small skills show. */
export function CostBar({ cost, largest, scale = 'root' }: CostBarProps): VNode {
  const total = totalCost(cost);
  const parts = costParts.map(({ name, title }) => ({ name, title, tokens: partOf(cost, name) })).filter(({ tokens }) => tokens > 0);
  const ratio = total / Math.max(1, largest);
  const share = scale === 'linear' ? ratio : Math.sqrt(ratio);
  const label = parts.map(({ title, tokens }) => `${title} ${number(tokens)}`).join(', ');
  return (
    <div class="cost-bar" role="img" aria-label={`About ${number(total)} tokens: ${label}`} title={label}>
      <div class="cost-fill" style={{ width: `${Math.max(1, 100 * share)}%` }}>
        {parts.map(({ name, tokens }) => (
          <span key={name} class={`part part-${name}`} style={{ flexGrow: tokens }} />
        ))}
      </div>
    </div>
  );
}

/** What the colors mean. */
export function CostLegend(): VNode {
  return (
    <ul class="legend" aria-label="What the colors mean">
      {costParts.map(({ name, title }) => (
        <li key={name}>
          <span class={`swatch part-${name}`} aria-hidden="true" />
          {title}
        </li>
      ))}
    </ul>
  );
}
