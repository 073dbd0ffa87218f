/** One line of a chart. */
export interface Bar {
  readonly name: string;
  /** As many as there are series; one where there are none. */
  readonly parts: readonly number[];
  readonly isOurs: boolean;
}

/** A chart with horizontal bars. */
export interface BarChart {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Names of the parts, or none for one part. */
  readonly series: readonly string[];
  /** Whether the parts of a bar stand behind each other, or below. */
  readonly stacked: boolean;
  readonly floor: number;
  readonly text: (value: number) => string;
}

const width = 760;
const left = 190;
const right = 84;
const thickness = 16;
const gap = 8;
const opacities = [1, 0.62, 0.32];

// Both themes in one file: the picture follows the theme of the reader. Where a viewer knows no themes, the colors are those for light.
const style = `
    text { font: 13px system-ui, 'DejaVu Sans', sans-serif; fill: #1f2328; }
    .title { font-weight: 600; }
    .quiet { fill: #59636e; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
    .line { stroke: #59636e; stroke-dasharray: 3 3; }
    .ours { fill: #0969da; }
    .other { fill: #818b98; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .quiet { fill: #9198a1; stroke: #0d1117; }
      .line { stroke: #9198a1; }
      .ours { fill: #4493f8; }
      .other { fill: #656c76; }
    }`;

/** Draws it as SVG. */
export function barChart({ title, bars, series, stacked, floor, text }: BarChart): string {
  const isBelow = !stacked && series.length > 1;
  const ends = bars.map(({ parts }) => (stacked ? parts.reduce((sum, part) => sum + part, 0) : Math.max(...parts)));
  // One that is far beyond all others is cut, or the others could not be told apart.
  const [longest = 0, second = 0] = ends.toSorted((a, b) => b - a);
  const limit = ends.length > 2 && longest > 5 * second ? 1.25 * Math.max(second, floor) : Math.max(longest, floor, 1e-9);
  const scale = (width - left - right) / limit;
  const top = 60;
  const lineHeight = (isBelow ? thickness * series.length : thickness) + gap;
  const height = top + bars.length * lineHeight + 12;
  const lines = bars.map((bar, index) => barLines(bar, { y: top + index * lineHeight, isBelow, scale, limit, text }));
  const atFloor = left + floor * scale;
  const legend = series.map((name, index) => {
    const x = left + index * 170;
    return `<rect class="ours" x="${x}" y="34" width="11" height="11" opacity="${opacities[index]}"/><text class="quiet" x="${x + 16}" y="44">${escaped(name)}</text>`;
  });
  const floorText =
    series.length === 0 ? `<text class="quiet" x="${Math.min(atFloor, width - 150)}" y="46">floor ${escaped(text(floor))}</text>` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${escaped(title)}</title>
  <style>${style}
  </style>
  <text class="title" x="0" y="18">${escaped(title)}</text>
  ${[...legend, floorText].filter((part) => part !== '').join('\n  ')}
  <line class="line" x1="${atFloor.toFixed(1)}" y1="${top - 8}" x2="${atFloor.toFixed(1)}" y2="${height - 10}"/>
  ${lines.join('\n  ')}
</svg>
`;
}

interface Place {
  readonly y: number;
  readonly isBelow: boolean;
  readonly scale: number;
  readonly limit: number;
  readonly text: (value: number) => string;
}

function barLines({ name, parts, isOurs }: Bar, { y, isBelow, scale, limit, text }: Place): string {
  const kind = isOurs ? 'ours' : 'other';
  const end = left + limit * scale;
  let x = left;
  const drawn = parts.map((part, index) => {
    const own = isBelow ? y + index * thickness : y;
    const long = Math.max(Math.min(part * scale, end - x), 1);
    const rect = `<rect class="${kind}" x="${x.toFixed(1)}" y="${own}" width="${long.toFixed(1)}" height="${thickness}" opacity="${opacities[index]}"/>`;
    if (isBelow) return `${rect}<text class="quiet" x="${(left + long + 6).toFixed(1)}" y="${own + 13}">${escaped(text(part))}</text>`;
    x += long;
    return rect;
  });
  const total = parts.reduce((sum, part) => sum + part, 0);
  const isCut = total > limit && !isBelow;
  const label = isBelow
    ? ''
    : `<text class="quiet" x="${(x + 6).toFixed(1)}" y="${y + 13}">${isCut ? '… ' : ''}${escaped(text(total))}</text>`;
  const middle = isBelow ? y + (parts.length * thickness) / 2 + 5 : y + 13;
  return `<text x="${left - 10}" y="${middle}" text-anchor="end"${isOurs ? ' font-weight="600"' : ''}>${escaped(name)}</text>${drawn.join('')}${label}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
