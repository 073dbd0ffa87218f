import type { TextOutput } from '../commands/command.ts';
import { progressLine } from '../text/progress-line.ts';
import { count } from '../text/count.ts';
import type { ServedAnswer } from './start-server.ts';

/** Counts what a server answers, in one line of a terminal. */
export interface RequestCount {
  add(answer: ServedAnswer): void;
  /** Takes the line away, and leaves how many there were. */
  end(): void;
}

/** A busy server should not wait for its terminal. */
const pauseMs = 100;

/** A line on stderr that is written over and over; nothing where nobody looks. */
export function requestCount(output: TextOutput): RequestCount {
  const line = progressLine(output);
  let [answered, refused] = [0, 0];
  let last: ServedAnswer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writtenAt = -Infinity;
  const total = (): string => `${count(answered, 'request')}${refused === 0 ? '' : `, ${refused} of them refused`}`;
  const write = (): void => {
    timer = undefined;
    writtenAt = performance.now();
    if (last !== undefined) line.show(`${total()}; last: ${last.status} ${last.method} ${withoutQuery(last.path)}`);
  };
  return {
    add(answer) {
      answered += 1;
      if (answer.status >= 400) refused += 1;
      last = answer;
      if (output.isTTY !== true || timer !== undefined) return;
      const wait = writtenAt + pauseMs - performance.now();
      if (wait <= 0) write();
      else timer = setTimeout(write, wait).unref();
    },
    end() {
      clearTimeout(timer);
      line.clear();
      if (output.isTTY === true && answered > 0) output.write(`Answered ${total()}.\n`);
    },
  };
}

/** A query may hold a token, and what a terminal showed is kept. */
function withoutQuery(path: string): string {
  const at = path.indexOf('?');
  return at === -1 ? path : `${path.slice(0, at)}?…`;
}
