import type { LikenessNode, LikenessPair } from './likeness-map.ts';

interface Point {
  x: number;
  y: number;
}

/** The angle by which seeds of a sunflower follow each other: they fill a disk evenly. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** Distance of two neighbors. */
const spacing = 26;

/**
 * Places skills on a plane: those that are connected form islands, the largest in the middle, and those that are like no other stand around
 * them. It is deterministic, so a map changes only where its skills do.
 */
export function layoutIslands(names: readonly string[], pairs: readonly Pick<LikenessPair, 'a' | 'b' | 'likeness'>[]): LikenessNode[] {
  const islands = islandsOf(names, pairs);
  const loners = islands.filter((island) => island.length === 1).flat();
  const placed: { readonly center: Point; readonly radius: number }[] = [];
  const nodes: LikenessNode[] = [];
  for (const [index, island] of islands.filter((each) => each.length > 1).entries()) {
    const points = settle(island, pairs);
    const radius = Math.max(...[...points.values()].map(({ x, y }) => Math.hypot(x, y))) + spacing;
    const center = freePlace(radius, placed);
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

/** Sets of connected names, the largest first; equal ones by their first name. */
function islandsOf(names: readonly string[], pairs: readonly Pick<LikenessPair, 'a' | 'b'>[]): string[][] {
  const parent = new Map(names.map((name) => [name, name]));
  const root = (name: string): string => {
    let at = name;
    while (parent.get(at) !== at) at = parent.get(at) ?? at;
    parent.set(name, at);
    return at;
  };
  for (const { a, b } of pairs) if (parent.has(a) && parent.has(b)) parent.set(root(a), root(b));
  const islands = new Map<string, string[]>();
  for (const name of names) islands.set(root(name), [...(islands.get(root(name)) ?? []), name]);
  return [...islands.values()].sort((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}

/** Springs between alike skills, and a push between all: more rounds for small islands, so that large ones end in time. */
function settle(island: readonly string[], pairs: readonly Pick<LikenessPair, 'a' | 'b' | 'likeness'>[]): Map<string, Point> {
  const index = new Map(island.map((name, at) => [name, at]));
  const points: Point[] = island.map((_, at) => ({
    x: Math.cos(at * goldenAngle) * Math.sqrt(at + 0.5) * spacing,
    y: Math.sin(at * goldenAngle) * Math.sqrt(at + 0.5) * spacing,
  }));
  const springs = pairs.flatMap(({ a, b, likeness }) => {
    const [from, to] = [index.get(a), index.get(b)];
    return from === undefined || to === undefined ? [] : [{ from, to, likeness }];
  });
  const rounds = Math.max(12, Math.min(200, Math.floor(20_000_000 / (island.length * island.length))));
  for (let round = 0; round < rounds; round += 1) relax(points, springs, spacing * (1 - round / rounds));
  const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
  return new Map(island.map((name, at) => [name, { x: (points[at]?.x ?? 0) - middle.x, y: (points[at]?.y ?? 0) - middle.y }]));
}

function relax(
  points: Point[],
  springs: readonly { readonly from: number; readonly to: number; readonly likeness: number }[],
  most: number,
): void {
  const moves = points.map(() => ({ x: 0, y: 0 }));
  const push = (at: number, x: number, y: number): void => {
    const move = moves[at];
    if (move === undefined) return;
    move.x += x;
    move.y += y;
  };
  for (const [a, first] of points.entries()) {
    for (let b = a + 1; b < points.length; b += 1) {
      const second = points[b] ?? first;
      const [dx, dy] = [first.x - second.x, first.y - second.y];
      const square = Math.max(dx * dx + dy * dy, 1);
      if (square > spacing * spacing * 36) continue;
      const force = (spacing * spacing) / square;
      push(a, dx * force, dy * force);
      push(b, -dx * force, -dy * force);
    }
  }
  for (const { from, to, likeness } of springs) {
    const [first, second] = [points[from], points[to]];
    if (first === undefined || second === undefined) continue;
    const [dx, dy] = [first.x - second.x, first.y - second.y];
    const pull = (Math.hypot(dx, dy) / spacing) * (0.2 + likeness) * 0.5;
    push(from, -dx * pull, -dy * pull);
    push(to, dx * pull, dy * pull);
  }
  for (const [at, point] of points.entries()) {
    const { x, y } = moves[at] ?? { x: 0, y: 0 };
    const length = Math.hypot(x, y) || 1;
    point.x += (x / length) * Math.min(length, most);
    point.y += (y / length) * Math.min(length, most);
  }
}

/** The place nearest to the middle where a disk touches no other, along a spiral. */
function freePlace(radius: number, placed: readonly { readonly center: Point; readonly radius: number }[]): Point {
  if (placed.length === 0) return { x: 0, y: 0 };
  for (let turn = 0; ; turn += 0.15) {
    const distance = turn * 9;
    const center = { x: Math.cos(turn) * distance, y: Math.sin(turn) * distance };
    if (placed.every((other) => Math.hypot(other.center.x - center.x, other.center.y - center.y) >= other.radius + radius + spacing / 3))
      return center;
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
