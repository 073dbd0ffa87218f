/** The part of the map that is seen, in its own units. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A name that wants a place on the map. Those that come first are placed first. */
export interface Label extends Point {
  readonly text: string;
  readonly kind: 'focus' | 'name' | 'about';
  /** Distance of the text from the point. */
  readonly gap: number;
}

/** What a name must not cover. */
export interface Dot extends Point {
  readonly radius: number;
}

/** A box around all points, with a margin, in the proportions of the screen. A map of a few skills is not blown up to the size of the screen. */
export function fitBox(points: readonly Point[], { width, height }: { readonly width: number; readonly height: number }): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right] = [least(xs), -least(xs.map((x) => -x))];
  const [top, bottom] = [least(ys), -least(ys.map((y) => -y))];
  const ratio = width / Math.max(1, height);
  const high = Math.max(bottom - top + 70, (right - left + 110) / ratio, 230);
  return { x: (left + right - high * ratio) / 2, y: (top + bottom - high) / 2, width: high * ratio, height: high };
}

/** Comes nearer (a factor below 1) or goes farther, with one point staying where it is, between everything and about three skills. */
export function zoomBox(box: Box, factor: number, { x, y }: Point, whole: Box): Box {
  const wanted = Math.max(Math.min(80, whole.width), Math.min(whole.width, box.width * factor));
  const by = wanted / box.width;
  return moveBox({ x: x - (x - box.x) * by, y: y - (y - box.y) * by, width: wanted, height: box.height * by }, { x: 0, y: 0 }, whole);
}

/** Moves what is seen, never so far that nothing is. */
export function moveBox(box: Box, { x, y }: Point, whole: Box): Box {
  const within = (value: number, size: number, from: number, all: number): number =>
    Math.max(from - size / 3, Math.min(from + all - (2 * size) / 3, value));
  return {
    ...box,
    x: box.width >= whole.width ? whole.x : within(box.x + x, box.width, whole.x, whole.width),
    y: box.height >= whole.height ? whole.y : within(box.y + y, box.height, whole.y, whole.height),
  };
}

/** Puts each name above, below or beside its point, where it covers no other and no dot, and leaves out those without a place. */
export function placeLabels(labels: readonly Label[], dots: readonly Dot[], box: Box, fontSize: number): Label[] {
  const taken: Box[] = dots.map(({ x, y, radius }) => ({ x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }));
  const placed: Label[] = [];
  for (const label of labels) {
    const width = label.text.length * fontSize * 0.56 + fontSize * 0.6;
    const height = fontSize * 1.15;
    const side = label.gap + width / 2;
    const places = [
      { x: label.x, y: label.y - label.gap },
      { x: label.x, y: label.y + label.gap + fontSize * 0.8 },
      { x: label.x + side, y: label.y + fontSize * 0.35 },
      { x: label.x - side, y: label.y + fontSize * 0.35 },
    ];
    for (const place of places) {
      const area = { x: place.x - width / 2, y: place.y - fontSize * 0.9, width, height };
      const isInside = area.x >= box.x && area.y >= box.y && area.x + width <= box.x + box.width && area.y + height <= box.y + box.height;
      // What an island is about is read over its dots; a name is not.
      const others = label.kind === 'about' ? taken.slice(dots.length) : taken;
      if (!isInside || others.some((other) => touches(area, other))) continue;
      taken.push(area);
      placed.push({ ...label, ...place });
      break;
    }
  }
  return placed;
}

function touches(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((smallest, number) => Math.min(smallest, number), Number.POSITIVE_INFINITY);
}
