import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { LikenessMap, LikenessNode, LikenessPair } from '../../src/library/likeness-map.ts';
import type { SkillRow } from '../../src/library/views.ts';
import { totalCost } from '../library/cost-bar.tsx';
import { shownPlain } from '../text/hidden-parts.ts';
import { fitBox, moveBox, placeLabels, zoomBox, type Box, type Label } from './map-view.ts';

interface PlotProps {
  readonly map: LikenessMap;
  readonly nodes: readonly LikenessNode[];
  /** The lines that are drawn besides those of the skill in focus. */
  readonly pairs: readonly LikenessPair[];
  readonly chosen: string | undefined;
  readonly rows: readonly SkillRow[];
  readonly onChoose: (skill: string | undefined) => void;
}

const fontPixels = 12.5;
/** As many names are looked at; more never find a place. */
const mostLabels = 160;
const mostNameCharacters = 32;
const step = 0.7;

/** The map as a picture that can be zoomed and moved. What it shows is in the list of pairs too, which is where a screen reader finds it. */
export function LikenessPlot({ map, nodes, pairs, chosen, rows, onChoose }: PlotProps): VNode {
  const hovered = useSignal<string | undefined>(undefined);
  const size = useSignal({ width: 900, height: 640 });
  /** What is seen; `null` for everything. */
  const seen = useSignal<Box | null>(null);
  const drag = useRef<{ readonly x: number; readonly y: number; moved: boolean } | null>(null);
  const svg = useRef<SVGSVGElement>(null);

  const whole = useMemo(() => fitBox(nodes, size.value), [nodes, size.value]);
  const place = useMemo(() => new Map(map.nodes.map((node) => [node.name, node])), [map]);
  const cost = useMemo(() => new Map(rows.map((row) => [row.name, totalCost(row.cost)])), [rows]);
  const box = seen.value ?? whole;
  const unit = box.width / size.value.width;
  const radiusOf = (name: string): number =>
    unit * Math.min(3 + Math.min(7, Math.sqrt((cost.get(name) ?? 0) / 900)), Math.max(2.2, 11 / unit));

  const focus = hovered.value ?? chosen;
  const focused = focus === undefined ? [] : map.pairs.filter(({ a, b }) => a === focus || b === focus);
  const near = new Set(focused.flatMap(({ a, b }) => [a, b]));

  useLayoutEffect(() => {
    const element = svg.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0 || (width === size.value.width && height === size.value.height)) return;
      [size.value, seen.value] = [{ width, height }, null];
    });
    observer.observe(element);
    // A listener of its own: one that Preact adds may not keep the page from scrolling.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      zoomNow.current(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 240), event);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, []);

  // Another skill is brought into sight.
  useLayoutEffect(() => {
    const node = chosen === undefined ? undefined : place.get(chosen);
    if (node === undefined || seen.value === null) return;
    const { x, y, width, height } = seen.value;
    const isSeen = node.x > x && node.x < x + width && node.y > y && node.y < y + height;
    if (!isSeen) seen.value = moveBox(seen.value, { x: node.x - x - width / 2, y: node.y - y - height / 2 }, whole);
  }, [chosen, place, whole]);

  // The listener lives longer than one drawing of the map.
  const zoomNow = useRef(zoom);
  zoomNow.current = zoom;

  function zoom(factor: number, at?: { readonly clientX: number; readonly clientY: number }): void {
    const now = seen.value ?? whole;
    const rectangle = svg.current?.getBoundingClientRect();
    const middle = { x: now.x + now.width / 2, y: now.y + now.height / 2 };
    const point =
      at === undefined || rectangle === undefined
        ? (place.get(chosen ?? '') ?? middle)
        : {
            x: now.x + ((at.clientX - rectangle.left) / rectangle.width) * now.width,
            y: now.y + ((at.clientY - rectangle.top) / rectangle.height) * now.height,
          };
    const next = zoomBox(now, factor, point, whole);
    seen.value = next.width >= whole.width ? null : next;
  }

  function move(x: number, y: number): void {
    if (seen.value !== null) seen.value = moveBox(seen.value, { x, y }, whole);
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const by = box.width / 8;
    if (event.key === '+' || event.key === '=') zoom(step);
    else if (event.key === '-') zoom(1 / step);
    else if (event.key === '0') seen.value = null;
    else if (event.key === 'ArrowLeft') move(-by, 0);
    else if (event.key === 'ArrowRight') move(by, 0);
    else if (event.key === 'ArrowUp') move(0, -by);
    else if (event.key === 'ArrowDown') move(0, by);
    else return;
    event.preventDefault();
  };

  const nameAt = (event: PointerEvent | MouseEvent): string | undefined =>
    event.target instanceof SVGElement ? event.target.dataset['name'] : undefined;
  const dots = nodes.map(({ name, x, y }) => ({ x, y, radius: radiusOf(name) * 0.9 }));
  const wanted = labelsOf({ map, nodes, place, pairs, focus, near, box, unit, radiusOf });
  // What is asked for is named, over dots that matter less.
  const labels = placeLabels(wanted, focus === undefined ? dots : [], box, fontPixels * unit);

  return (
    <div class="plot-frame">
      <svg
        ref={svg}
        class={`plot${focus === undefined ? '' : ' has-focus'}${seen.value === null ? '' : ' is-near'}`}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        role="img"
        // An attribute of SVG, where case counts.
        tabindex={0}
        aria-label={`Map of ${nodes.length} skills. Plus and minus zoom, arrows move. The pairs are listed beside it.`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, moved: false };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (from === null || event.buttons === 0) {
            hovered.value = nameAt(event);
            return;
          }
          const [x, y] = [event.clientX - from.x, event.clientY - from.y];
          if (!from.moved && Math.hypot(x, y) < 4) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, moved: true };
          move(-x * unit, -y * unit);
        }}
        onPointerLeave={() => (hovered.value = undefined)}
        onClick={(event) => {
          if (drag.current?.moved !== true) onChoose(nameAt(event));
          drag.current = null;
        }}
      >
        <Lines pairs={pairs} place={place} kind="edges" />
        <Dots nodes={nodes} radiusOf={radiusOf} unit={unit} />
        <Lines pairs={focused} place={place} kind="edges near" />
        <g class="nodes lit">
          {[...new Set([...near, ...(focus === undefined ? [] : [focus])])].map((name) => {
            const node = place.get(name);
            return node === undefined ? null : <Dot key={name} node={node} radius={radiusOf(name)} isFocus={name === focus} />;
          })}
        </g>
        <g class="labels" aria-hidden="true" font-size={fontPixels * unit} stroke-width={4.5 * unit}>
          {labels.map(({ text, kind, x, y }) => (
            <text key={`${kind} ${text}`} class={kind} x={x} y={y} text-anchor="middle">
              {text}
            </text>
          ))}
        </g>
      </svg>
      <div class="plot-buttons" role="group" aria-label="Zoom">
        <button type="button" class="quiet" aria-label="Nearer" disabled={box.width <= 80} onClick={() => zoom(step)}>
          +
        </button>
        <button type="button" class="quiet" aria-label="Farther" disabled={seen.value === null} onClick={() => zoom(1 / step)}>
          −
        </button>
        <button type="button" class="quiet" disabled={seen.value === null} onClick={() => (seen.value = null)}>
          All
        </button>
      </div>
    </div>
  );
}

interface LabelInput extends Pick<PlotProps, 'map' | 'nodes' | 'pairs'> {
  readonly place: ReadonlyMap<string, LikenessNode>;
  readonly focus: string | undefined;
  readonly near: ReadonlySet<string>;
  readonly box: Box;
  readonly unit: number;
  readonly radiusOf: (name: string) => number;
}

/** The names that want a place, the most wanted first: the skill in focus, those like it, what islands are about, and skills with many neighbors. */
function labelsOf({ map, nodes, pairs, place, focus, near, box, unit, radiusOf }: LabelInput): Label[] {
  const label = (node: LikenessNode | undefined): Label[] => {
    if (node === undefined) return [];
    const name = shownPlain(node.name);
    const text = name.length > mostNameCharacters ? `${name.slice(0, mostNameCharacters - 1)}…` : name;
    return [{ text, kind: node.name === focus ? 'focus' : 'name', x: node.x, y: node.y, gap: radiusOf(node.name) + 4 * unit }];
  };
  if (focus !== undefined)
    return [focus, ...[...near].filter((name) => name !== focus)].slice(0, mostLabels).flatMap((name) => label(place.get(name)));
  const isSeen = ({ x, y }: LikenessNode): boolean => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
  const degree = new Map<string, number>();
  for (const { a, b, likeness } of pairs) for (const name of [a, b]) degree.set(name, (degree.get(name) ?? 0) + likeness);
  const names = nodes
    .filter(isSeen)
    .sort((a, b) => (degree.get(b.name) ?? 0) - (degree.get(a.name) ?? 0))
    .slice(0, mostLabels);
  const ofIsland = Map.groupBy(nodes, ({ island }) => island);
  const about = map.islands.slice(0, 20).flatMap(({ island, words }): Label[] => {
    const own = ofIsland.get(island) ?? [];
    if (own.length < 3 || own.length * 3 > nodes.length * 2) return [];
    const middle = own.reduce((sum, { x }) => sum + x, 0) / own.length;
    const top = own.reduce((least, { y }) => Math.min(least, y), Number.POSITIVE_INFINITY);
    return [{ text: shownPlain(words.join(' · ')).slice(0, mostNameCharacters), kind: 'about', x: middle, y: top, gap: 12 * unit }];
  });
  // From afar the words of islands say more than single names.
  return names.length > 60 ? [...about, ...names.flatMap(label)] : names.flatMap(label);
}

function Lines({
  pairs,
  place,
  kind,
}: {
  readonly pairs: readonly LikenessPair[];
  readonly place: LabelInput['place'];
  readonly kind: string;
}): VNode {
  return useMemo(
    () => (
      <g class={kind}>
        {pairs.map(({ a, b, likeness }) => {
          const [from, to] = [place.get(a), place.get(b)];
          if (from === undefined || to === undefined) return null;
          const width = 0.4 + 3 * likeness * likeness;
          return (
            <line key={`${a} ${b}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} stroke-width={width} vector-effect="non-scaling-stroke" />
          );
        })}
      </g>
    ),
    [pairs, place, kind],
  );
}

/** Thousands of dots: they are drawn again when they change their size, and not for each move. */
function Dots({
  nodes,
  radiusOf,
  unit,
}: {
  readonly nodes: readonly LikenessNode[];
  readonly radiusOf: (name: string) => number;
  readonly unit: number;
}): VNode {
  return useMemo(
    () => (
      <g class="nodes">
        {nodes.map((node) => (
          <Dot key={node.name} node={node} radius={radiusOf(node.name)} />
        ))}
      </g>
    ),
    [nodes, unit],
  );
}

function Dot({
  node: { name, x, y, island },
  radius,
  isFocus = false,
}: {
  readonly node: LikenessNode;
  readonly radius: number;
  readonly isFocus?: boolean;
}): VNode {
  return (
    <circle
      data-name={name}
      class={`${island === null ? 'alone' : `island-${island % 6}`}${isFocus ? ' focus' : ''}`}
      cx={x}
      cy={y}
      r={radius}
      vector-effect="non-scaling-stroke"
    >
      <title>{shownPlain(name).slice(0, 200)}</title>
    </circle>
  );
}
