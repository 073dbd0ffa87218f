import type { TextOutput } from '../commands/command.ts';

/** One line of a terminal that is written over and over; nothing where nobody looks. */
export function progressLine(output: TextOutput): { show(text: string): void; clear(): void } {
  let isShown = false;
  const write = (text: string): void => {
    if (output.isTTY === true) output.write(`\r\u001B[K${text}`);
  };
  return {
    show(text) {
      isShown = true;
      write(text);
    },
    clear() {
      if (isShown) write('');
      isShown = false;
    },
  };
}
