import { spreadOf, type Spread } from './statistics.ts';

/** A figure of one contender in one column of a row. */
export interface Cell extends Spread {
  readonly row: string;
  readonly column: string;
  readonly contender: string;
  /** How many times the floor it is: the median of the ratios of each round by itself, as a busy moment of the computer falls on both. */
  readonly toFloor: number | null;
}

/** Something that was measured on: a folder, or the one thing there is. */
export interface Column {
  readonly id: string;
  readonly title: string;
  /** How much the computer had to do while it was measured, as `uptime` says it, and for how many rounds. */
  readonly load?: number;
  readonly rounds?: number;
  /** How many more rounds there were of the start alone. */
  readonly starts?: number;
}

/** Why there is no figure, or what to know of one. */
export interface Remark {
  readonly row: string;
  readonly contender: string;
  /** @default all columns */
  readonly column?: string;
  readonly text: string;
}

/** Collects what rounds measure. */
export class Results {
  readonly #values = new Map<string, Map<number, number>>();
  readonly columns: Column[] = [];
  readonly remarks: Remark[] = [];

  add(row: string, column: string, contender: string, round: number, value: number): void {
    const key = [row, column, contender].join('|');
    const values = this.#values.get(key) ?? new Map<number, number>();
    this.#values.set(key, values.set(round, value));
  }

  remark(remark: Remark): void {
    const isKnown = this.remarks.some(
      (one) => one.row === remark.row && one.contender === remark.contender && one.column === remark.column,
    );
    if (!isKnown) this.remarks.push(remark);
  }

  /** Every figure that there is. */
  cells(): readonly Cell[] {
    return [...this.#values].map(([key, values]) => {
      const [row = '', column = '', contender = ''] = key.split('|');
      const floors = this.#values.get([row, column, 'floor'].join('|'));
      const ratios = [...values].flatMap(([round, value]) => {
        const floor = floors?.get(round);
        return floor === undefined || floor === 0 ? [] : [value / floor];
      });
      return {
        row,
        column,
        contender,
        ...spreadOf([...values.values()]),
        toFloor: contender === 'floor' || ratios.length === 0 ? null : spreadOf(ratios).median,
      };
    });
  }
}
