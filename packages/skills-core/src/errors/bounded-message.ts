/** The longest message of an error or a diagnostic: a list of many problems, and no file. */
const maxLength = 8_000;
const keptAtStart = 6_000;
const keptAtEnd = 1_500;

/** A message that carries names and values of strangers, cut in its middle where they make it long: what failed stands at its start, and the way out at its end. */
export function boundedMessage(message: string): string {
  if (message.length <= maxLength) return message;
  const left = message.length - keptAtStart - keptAtEnd;
  return `${message.slice(0, keptAtStart)} … (${left} characters) … ${message.slice(-keptAtEnd)}`.toWellFormed();
}
