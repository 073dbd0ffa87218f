import { withoutCredentials } from './without-credentials.ts';

/** The longest message of an error or a diagnostic: a list of many problems, and no file. */
const maxLength = 8_000;
const keptAtStart = 6_000;
const keptAtEnd = 1_500;

/** A message of limited length without credentials, cut in the middle. */
export function boundedMessage(given: string): string {
  const message = withoutCredentials(given);
  if (message.length <= maxLength) return message;
  const left = message.length - keptAtStart - keptAtEnd;
  return `${message.slice(0, keptAtStart)} … (${left} characters) … ${message.slice(-keptAtEnd)}`.toWellFormed();
}
