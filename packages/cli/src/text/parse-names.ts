import { InvalidArgumentError } from 'commander';

/** Names from `a,b` or `a, b`, for options that take a list. */
export function parseNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw new InvalidArgumentError('Give names with commas between them.');
  return [...before, ...names];
}
