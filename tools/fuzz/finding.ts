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

/** The same for errors that are the same fault: their name, what their message begins with, and the calls that led to them. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown ${typeof error}`;
  const calls = (error.stack ?? '').split('\n').flatMap((line) => /^ +at (?:async )?([\w.#<>]+) \(/.exec(line)?.[1] ?? []);
  const about = error.message.slice(0, 80).split(':', 1)[0] ?? '';
  return `${error.name} ${about.replace(/\d+|"[^"]*"?|'[^']*'?/g, '…')} ${calls.slice(0, 3).join(' ')}`;
}
