import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 };

/** Parses `500000`, `64KiB` or `1.5 MB`. For options of commander. */
export function parseBytes(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([kmg]?i?b)?$/i.exec(text.trim()) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  if (amount === '' || factor === undefined) throw new InvalidArgumentError('Give a number of bytes, such as 500000, 64KiB or 3MB.');
  return Math.floor(Number(amount) * factor);
}
