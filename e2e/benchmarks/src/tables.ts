import { contenders, entryFor, floor, minisearch, type Contender } from './contenders.ts';
import { cellOf, columnsOf, mainColumn, numeral, type Report } from './report.ts';
import type { Cell } from './results.ts';
import { rows, type Row } from './rows.ts';

/** Times below this are no difference to anyone, and hardly one to the clock. */
const levelMs = 0.01;

/** Who stands in the table of a row: the floor, everyone, and in rows of search the library that has nothing else. */
export function contendersOf(row: Row): readonly Contender[] {
  return [floor, ...contenders, ...(row.group === 'search' ? [minisearch] : [])];
}

/** The table of a row, with its notes. */
export function rowTable(row: Row, report: Report): string {
  const columns = columnsOf(report, row.id);
  const notes: string[] = [];
  const mark = (text: string): string => {
    if (!notes.includes(text)) notes.push(text);
    return `<sup>${notes.indexOf(text) + 1}</sup>`;
  };
  const lines = contendersOf(row).map((contender) => {
    const cells = columns.map(({ id }) => {
      const cell = cellOf(report, row.id, id, contender.id);
      const remark = report.remarks.find(
        (one) => one.row === row.id && one.contender === contender.id && (one.column === undefined || one.column === id),
      );
      if (cell === undefined) return `—${mark(entryFor(contender.cannot, row.id) ?? remark?.text ?? 'It was not measured.')}`;
      return `${figure(cell, row)}${remark === undefined ? '' : ` ${mark(remark.text)}`}`;
    });
    const note = columns.length === 0 || cells.every((cell) => cell.startsWith('—')) ? undefined : entryFor(contender.notes, row.id);
    const name = contender.id === 'repertoire' ? `**${contender.name}**` : contender.name;
    return `| ${name}${note === undefined ? '' : ` ${mark(note)}`} | ${cells.join(' | ')} |`;
  });
  const head = ['', ...columns.map(({ id, title }) => (id === 'bundle' || id === 'search' ? row.unit : `${title}, ${row.unit}`))];
  const table = [`| ${head.join(' | ')} |`, `|${['---', ...columns.map(() => '---:')].join('|')}|`, ...lines].join('\n');
  return notes.length === 0 ? table : `${table}\n\n${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}`;
}

/** Each row in a line: we, the best of the others, the floor, and who is ahead. */
export function summaryTable(report: Report, chosen: readonly Row[] = rows): string {
  const lines = chosen.map((row) => {
    const column = mainColumn(report, row.id)?.id;
    const ours = cellOf(report, row.id, column, 'repertoire');
    const least = cellOf(report, row.id, column, 'floor');
    const best = bestOther(row, report, column);
    const place = ours === undefined ? '—' : best === undefined ? 'no other can' : standing(row, ours, best.cell);
    const other = best === undefined ? '—' : `${numeral(best.cell.median)} (${best.name})`;
    const texts = [ours, least].map((cell) => (cell === undefined ? '—' : numeral(cell.median)));
    return `| ${row.title}, ${row.unit} | ${texts[0]} | ${other} | ${texts[1]} | ${place} |`;
  });
  return ['| | Repertoire | best of the others | floor | Repertoire is |', '|---|---:|---:|---:|---|', ...lines].join('\n');
}

function bestOther(row: Row, report: Report, column: string | undefined): { readonly name: string; readonly cell: Cell } | undefined {
  const sign = row.better === 'more' ? -1 : 1;
  return [...contenders, minisearch]
    .filter(({ id }) => id !== 'repertoire')
    .flatMap(({ id, name }) => {
      const cell = cellOf(report, row.id, column, id);
      return cell === undefined ? [] : [{ name, cell }];
    })
    .toSorted((a, b) => sign * (a.cell.median - b.cell.median))[0];
}

function standing(row: Row, ours: Cell, other: Cell): string {
  const [better, worse] = row.better === 'more' ? [ours.median, other.median] : [other.median, ours.median];
  const isAhead = better > worse;
  const times = Math.max(better, worse) / Math.max(Math.min(better, worse), 1e-9);
  if (times < 1.005 || (row.unit === 'ms' && Math.max(better, worse) <= levelMs)) return 'level';
  const factor = times > 1_000 ? 'more than 1,000 ×' : `${numeral(times)} ×`;
  return isAhead ? `ahead, ${factor}` : `**behind, ${factor}**`;
}

function figure(cell: Cell, row: Row): string {
  const spread = cell.runs > 1 ? ` (${numeral(cell.low)}–${numeral(cell.high)})` : '';
  const ratio = cell.toFloor === null || row.unit === '%' || row.unit === 'skills' ? '' : ` · ${numeral(cell.toFloor)} ×`;
  return `${numeral(cell.median)}${spread}${ratio}`;
}
