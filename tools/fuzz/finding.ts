import { createHash } from 'node:crypto';

/** An input that a target does not stand. */
export interface Finding {
  readonly kind: 'crash' | 'slow' | 'hang';
  /** What happened, in a line. */
  readonly what: string;
  readonly input: Uint8Array;
}

/** Name of the file that a finding is kept in. */
export function findingName({ kind, input }: Finding): string {
  return `${kind}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
}

/** The same for errors that are the same fault: their name, their message without values, and where they were thrown. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown ${typeof error}`;
  const place =
    error.stack
      ?.split('\n')
      .find((line) => line.trimStart().startsWith('at '))
      ?.trim()
      .split(' ')[1] ?? '';
  return `${error.name} ${error.message.slice(0, 80).replace(/\d+|"[^"]*"|'[^']*'/g, '…')} ${place}`;
}
