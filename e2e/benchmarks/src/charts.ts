import { barChart, type Bar } from './bar-chart.ts';
import { contenders, minisearch } from './contenders.ts';
import { cellOf, mainColumn, numeral, type Report } from './report.ts';
import { rows, type GroupId } from './rows.ts';

/** A picture of a part of the page. */
export interface Chart {
  readonly group: GroupId;
  readonly file: string;
  title(report: Report): string;
  svg(report: Report): string;
}

/** Rows whose figures stand in one bar, or below each other, of every contender. */
interface Drawn {
  readonly group: GroupId;
  readonly of: readonly string[];
  readonly stacked: boolean;
  readonly subject: string;
}

const drawn: readonly Drawn[] = [
  { group: 'fresh', of: ['import', 'first-listing', 'first-catalog'], stacked: true, subject: 'From import to the first catalog' },
  { group: 'warm', of: ['new-listing'], stacked: false, subject: 'Listing by a new instance' },
  { group: 'skill', of: ['later-load'], stacked: false, subject: 'Later load of a skill' },
  { group: 'text', of: ['catalog-tokens'], stacked: false, subject: 'The catalog' },
  { group: 'memory', of: ['memory'], stacked: false, subject: 'Memory after the first catalog' },
  { group: 'checkpoint', of: ['checkpoint-all'], stacked: false, subject: 'All checkpoints of a conversation that loads ten skills' },
  { group: 'search', of: ['search-first', 'search-five'], stacked: false, subject: 'The right skill is found' },
  { group: 'bundle', of: ['bundle-own'], stacked: false, subject: 'Bundle without the framework' },
];

const sites: readonly { readonly group: GroupId; readonly subject: string }[] = [
  { group: 'http', subject: 'Skills over HTTP' },
  { group: 'mcp', subject: 'Skills over MCP' },
];

export const charts: readonly Chart[] = [...drawn.map(chartOf), ...sites.map(siteChart)];

function chartOf({ group, of, stacked, subject }: Drawn): Chart {
  const unit = rows.find(({ id }) => id === of[0])?.unit ?? 'ms';
  const isMore = rows.find(({ id }) => id === of[0])?.better === 'more';
  const title = (report: Report): string => {
    const column = mainColumn(report, of[0] ?? '');
    const where = column === undefined || column.id === 'bundle' || column.id === 'search' ? '' : `, ${column.title} skills`;
    return `${subject}, ${unit}${where} (${isMore ? 'more' : 'less'} is better)`;
  };
  return {
    group,
    file: `benchmarks-${group}.svg`,
    title,
    svg(report) {
      const valueOf = (row: string, id: string): number | undefined => cellOf(report, row, mainColumn(report, row)?.id, id)?.median;
      const bars = [...contenders, minisearch].flatMap(({ id, name }): Bar[] => {
        const parts = of.map((row) => valueOf(row, id)).filter((value) => value !== undefined);
        return parts.length < of.length ? [] : [{ name, parts, isOurs: id === 'repertoire' }];
      });
      const sum = ({ parts }: Bar): number => (stacked ? parts.reduce((total, part) => total + part, 0) : (parts[0] ?? 0));
      const floors = of.map((row) => valueOf(row, 'floor') ?? 0);
      return barChart({
        title: title(report),
        bars: bars.toSorted((a, b) => (isMore ? sum(b) - sum(a) : sum(a) - sum(b))),
        series: of.length === 1 ? [] : of.map((row) => rows.find(({ id }) => id === row)?.title ?? row),
        stacked,
        floor: stacked ? floors.reduce((total, part) => total + part, 0) : (floors[0] ?? 0),
        text: numeral,
      });
    },
  };
}

/** No other library takes part in these, so the bars are ours beside the floor. */
function siteChart({ group, subject }: { readonly group: GroupId; readonly subject: string }): Chart {
  const own = rows.filter((row) => row.group === group);
  const title = (report: Report): string =>
    `${subject}, times the floor, ${mainColumn(report, own[0]?.id ?? '')?.title ?? ''} skills (less is better)`;
  return {
    group,
    file: `benchmarks-${group}.svg`,
    title,
    svg: (report) =>
      barChart({
        title: title(report),
        bars: own.flatMap(({ id, title: name }) => {
          const ratio = cellOf(report, id, mainColumn(report, id)?.id, 'repertoire')?.toFloor ?? undefined;
          return ratio === undefined ? [] : [{ name, parts: [ratio], isOurs: true }];
        }),
        series: [],
        stacked: false,
        floor: 1,
        text: (value) => `${numeral(value)} ×`,
      }),
  };
}
