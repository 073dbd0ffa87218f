import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3-force';
import type { LikenessNode, LikenessPair } from './likeness-map.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

type Pair = Pick<LikenessPair, 'a' | 'b' | 'likeness'>;

/** The angle by which seeds of a sunflower follow each other: they fill a disk evenly. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** Distance of two neighbors. */
const spacing = 26;
/** Islands of this size are named on the map, which takes room. */
const leastNamed = 6;

/**
 * Places skills on a plane: those that are connected form islands, the largest in the middle, and
 * those that are like no other stand around them. It is deterministic, so a map changes only where
 * its skills do.
 */
export function layoutIslands(names: readonly string[], pairs: readonly Pair[]): LikenessNode[] {
  const islands = islandsOf(names, pairs);
  const loners = islands.filter((island) => island.length === 1).flat();
  const placed: { readonly center: Point; readonly radius: number }[] = [];
  const nodes: LikenessNode[] = [];
  let place = { step: 0, size: 0 };
  for (const [index, island] of islands.filter((each) => each.length > 1).entries()) {
    const points = settle(island, pairs);
    const room = island.length < leastNamed ? 0 : Math.min(3, island.length / leastNamed);
    const radius = Math.max(...[...points.values()].map(({ x, y }) => Math.hypot(x, y))) + spacing * (1 + room);
    // Where an island of this size found no place, the next one of the same size finds none either.
    const { center, step } = freePlace(radius, placed, island.length === place.size ? place.step : 0);
    place = { step, size: island.length };
    placed.push({ center, radius });
    for (const [name, { x, y }] of points) nodes.push({ name, x: center.x + x, y: center.y + y, island: index });
  }
  const shore = Math.max(0, ...placed.map(({ center, radius }) => Math.hypot(center.x, center.y) + radius));
  for (const [index, name] of loners.entries()) {
    // A ring around the islands with the same density everywhere.
    const distance = Math.sqrt(shore * shore + ((index + 1) * spacing * spacing * 1.4) / Math.PI) + (shore > 0 ? spacing / 2 : 0);
    nodes.push({ name, x: Math.cos(index * goldenAngle) * distance, y: Math.sin(index * goldenAngle) * distance, island: null });
  }
  return nodes.map((node) => ({ ...node, x: Math.round(node.x * 10) / 10, y: Math.round(node.y * 10) / 10 }));
}

function islandsOf(names: readonly string[], pairs: readonly Pair[]): string[][] {
  const parent = new Map(names.map((name) => [name, name]));
  const root = (name: string): string => {
    let at = name;
    while (parent.get(at) !== at) at = parent.get(at) ?? at;
    parent.set(name, at);
    return at;
  };
  for (const { a, b } of pairs) if (parent.has(a) && parent.has(b)) parent.set(root(a), root(b));
  const islands = Map.groupBy(names, root);
  return [...islands.values()].sort((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}

/** Springs between alike skills, and a push between all. Deterministic. */
function settle(island: readonly string[], pairs: readonly Pair[]): Map<string, Point> {
  const index = new Map(island.map((name, at) => [name, at]));
  const points: SimulationNodeDatum[] = island.map(() => ({}));
  const links = pairs.flatMap(({ a, b, likeness }) => {
    const [source, target] = [index.get(a), index.get(b)];
    return source === undefined || target === undefined ? [] : [{ source, target, likeness }];
  });
  const simulation = forceSimulation(points)
    .force(
      'alike',
      forceLink(links)
        .distance(spacing)
        .strength(({ likeness }) => likeness / 2),
    )
    .force(
      'apart',
      forceManyBody()
        .strength(-spacing)
        .distanceMax(spacing * 12),
    )
    .force('room', forceCollide(spacing / 2))
    .force('x', forceX().strength(0.05))
    .force('y', forceY().strength(0.05))
    .stop();
  // Large islands are rough rather than late.
  simulation.tick(Math.max(60, Math.min(300, Math.floor(120_000 / island.length))));
  const middle = { x: mean(points.map(({ x = 0 }) => x)), y: mean(points.map(({ y = 0 }) => y)) };
  return new Map(island.map((name, at) => [name, { x: (points[at]?.x ?? 0) - middle.x, y: (points[at]?.y ?? 0) - middle.y }]));
}

/** The free place nearest to the middle, in the order of a sunflower's seeds. */
function freePlace(
  radius: number,
  placed: readonly { readonly center: Point; readonly radius: number }[],
  from: number,
): { readonly center: Point; readonly step: number } {
  for (let step = from; ; step += 1) {
    const distance = Math.sqrt(step) * (spacing / 3);
    // Screens are wider than high, and so is the map.
    const center = { x: Math.cos(step * goldenAngle) * distance * 1.25, y: Math.sin(step * goldenAngle) * distance * 0.85 };
    if (placed.every((other) => Math.hypot(other.center.x - center.x, other.center.y - center.y) >= other.radius + radius + spacing / 3))
      return { center, step };
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
