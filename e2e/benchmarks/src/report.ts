import type { ConversationCosts } from './conversation.ts';
import type { Machine } from './machine.ts';
import type { Cell, Column, Remark } from './results.ts';

/** Everything that a run found. `--json` prints it. */
export interface Report {
  readonly machine: Machine;
  readonly versions: readonly (readonly [string, string])[];
  readonly minutes: number;
  readonly columns: readonly Column[];
  readonly cells: readonly Cell[];
  readonly remarks: readonly Remark[];
  /** Left out of a run of some rows. */
  readonly conversation?: ConversationCosts | undefined;
}

/** The columns in which a row has figures, in the order in which they were measured. */
export function columnsOf(report: Report, row: string): readonly Column[] {
  const measured = new Set(report.cells.filter((cell) => cell.row === row).map(({ column }) => column));
  return report.columns.filter(({ id }) => measured.has(id));
}

/** The column that summaries and charts are about: published skills, or else 1,000 generated ones, or the last there is. */
export function mainColumn(report: Report, row: string): Column | undefined {
  const columns = columnsOf(report, row);
  const find = (end: string): Column | undefined => columns.find(({ id }) => id.endsWith(end));
  return find('real') ?? find('generated-1000') ?? columns.at(-1);
}

/** The figure of a contender. */
export function cellOf(report: Report, row: string, column: string | undefined, contender: string): Cell | undefined {
  return report.cells.find((cell) => cell.row === row && cell.column === column && cell.contender === contender);
}

/** A number with as many digits as say something. */
export function numeral(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  if (value >= 10) return value.toFixed(1).replace(/\.0$/, '');
  if (value >= 1) return value.toFixed(2).replace(/0$/, '');
  if (value === 0) return '0';
  if (value < 0.0005) return '< 0.001';
  return value >= 0.005 ? value.toFixed(2) : value.toFixed(3);
}
