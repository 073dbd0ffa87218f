import type { TextOutput } from '../commands/command.ts';

/** One line of a terminal that is written over and over; nothing where nobody looks. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** How wide a terminal is taken to be that does not say. A line that wraps could not be cleared. */
export const usualColumns = 80;

export function progressLine(output: TextOutput): ProgressLine {
  let isShown = false;
  return {
    show(text) {
      if (output.isTTY !== true) return;
      isShown = true;
      const most = Math.max(10, (output.columns ?? usualColumns) - 1);
      const line = text.replace(/\p{C}/gu, '\uFFFD');
      output.write(`\r\u001B[K${line.length > most ? `${line.slice(0, most - 1)}…` : line}`);
    },
    clear() {
      if (isShown) output.write('\r\u001B[K');
      isShown = false;
    },
  };
}
