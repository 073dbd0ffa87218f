import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { LikenessMap } from '../../src/library/likeness-map.ts';
import type { SkillRow } from '../../src/library/views.ts';
import { totalCost } from '../library/cost-bar.tsx';

interface PlotProps {
  readonly map: LikenessMap;
  readonly chosen: string | undefined;
  readonly least: number;
  readonly rows: readonly SkillRow[];
  readonly onChoose: (skill: string | undefined) => void;
}

/** As many names, and names of islands, as can be read. */
const mostLabels = 40;
const mostIslands = 14;
/** Below this, it is a phone; `library.css` has the same. */
const narrowPixels = 820;

/** The map as a picture. What it shows is in the list of pairs too, which is where a screen reader finds it. */
export function LikenessPlot({ map, chosen, least, rows, onChoose }: PlotProps): VNode {
  const hovered = useSignal<string | undefined>(undefined);
  const place = new Map(map.nodes.map((node) => [node.name, node]));
  const cost = new Map(rows.map((row) => [row.name, totalCost(row.cost)]));
  const xs = map.nodes.map(({ x }) => x);
  const ys = map.nodes.map(({ y }) => y);
  const isNarrow = innerWidth <= narrowPixels;
  const margin = isNarrow ? 60 : 120;
  // A map of a few skills is not blown up to the size of a large page. A phone has no room to give away.
  const [leastWidth, leastHeight] = isNarrow ? [150, 110] : [320, 230];
  const width = Math.max(leastWidth, Math.max(...xs) - Math.min(...xs) + margin);
  const height = Math.max(leastHeight, Math.max(...ys) - Math.min(...ys) + margin / 2);
  const [left, top] = [(Math.min(...xs) + Math.max(...xs) - width) / 2, (Math.min(...ys) + Math.max(...ys) - height) / 2];
  // Dots are as large as they can be seen, however wide the map is.
  const unit = Math.max(0.8, Math.max(width, height) / 900);
  const radius = (name: string): number => unit * (3 + Math.min(7, Math.sqrt((cost.get(name) ?? 0) / 900)));
  const focus = hovered.value ?? chosen;
  const near = new Set(map.pairs.flatMap(({ a, b, likeness }) => (likeness >= least && (a === focus || b === focus) ? [a, b] : [])));
  const lines = map.pairs.filter(({ likeness, a, b }) => likeness >= least || a === focus || b === focus);
  // Names can be read, however few pixels the map is wide.
  const fontSize = Math.max(width, height * 1.4) / (isNarrow ? 34 : 62);
  const labels = new Set([
    ...(focus === undefined ? [] : [focus, ...near]),
    ...(map.nodes.length <= mostLabels ? map.nodes.map(({ name }) => name) : []),
  ]);
  return (
    <svg
      class="plot"
      viewBox={`${left} ${top} ${width} ${height}`}
      role="img"
      aria-label="Map of skills; the pairs are listed beside it"
      onClick={() => onChoose(undefined)}
    >
      <g class="edges">
        {lines.map(({ a, b, likeness }) => {
          const [from, to] = [place.get(a), place.get(b)];
          if (from === undefined || to === undefined) return null;
          const isNear = a === focus || b === focus;
          return (
            <line class={isNear ? 'near' : ''} x1={from.x} y1={from.y} x2={to.x} y2={to.y} stroke-width={0.4 + 3 * likeness * likeness} />
          );
        })}
      </g>
      <g class="nodes">
        {map.nodes.map(({ name, x, y, island }) => (
          <circle
            key={name}
            class={`${island === null ? 'alone' : `island-${island % 6}`}${name === focus ? ' focus' : ''}${focus !== undefined && name !== focus && !near.has(name) ? ' far' : ''}`}
            cx={x}
            cy={y}
            r={radius(name)}
            onPointerEnter={() => (hovered.value = name)}
            onPointerLeave={() => (hovered.value = undefined)}
            onClick={(event) => {
              event.stopPropagation();
              onChoose(name);
            }}
          >
            <title>{name}</title>
          </circle>
        ))}
      </g>
      <g class="labels" aria-hidden="true">
        {labels.size === 0
          ? map.islands.slice(0, mostIslands).map(({ island, words }) => {
              const own = map.nodes.filter((node) => node.island === island);
              if (own.length < 3) return null;
              const middle = own.reduce((sum, { x }) => sum + x, 0) / own.length;
              return (
                <text class="about" x={middle} y={Math.min(...own.map(({ y }) => y)) - 14} text-anchor="middle" font-size={fontSize}>
                  {words.join(', ')}
                </text>
              );
            })
          : null}
        {map.nodes
          .filter(({ name }) => labels.has(name))
          .map(({ name, x, y }) => (
            <text class={name === focus ? 'focus' : ''} x={x} y={y - radius(name) - 4} text-anchor="middle" font-size={fontSize}>
              {name}
            </text>
          ))}
      </g>
    </svg>
  );
}
