import type { ModelRequest } from '../frameworks/model-request.ts';
import type { ChangedAnswer, Replay } from './replay-recording.ts';

/** Requests of a conversation share most texts, so each text is stored once, by number. */
export interface PackedReplay {
  readonly texts: readonly string[];
  readonly requests: readonly PackedRequest[];
  readonly compared: number;
  readonly changed: readonly ChangedAnswer[];
}

/** One request, by numbers of texts. */
export interface PackedRequest {
  readonly system: number;
  readonly messages: readonly number[];
  readonly tools: readonly number[];
  /**
   * Index of the turn with which the model answered; `null` for the request that would come next.
   */
  readonly turn: number | null;
}

export function packReplay({ requests, compared, changed }: Replay): PackedReplay {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const packed = requests.map(({ system, messages, tools, turn }) => ({
    system: numberOf(system),
    messages: messages.map(numberOf),
    tools: tools.map(numberOf),
    turn,
  }));
  return { texts, requests: packed, compared, changed };
}

/** The texts of one request. */
export function unpackRequest({ texts, requests }: PackedReplay, index: number): ModelRequest | undefined {
  const request = requests[index];
  const text = (number: number): string => texts[number] ?? '';
  if (request === undefined) return undefined;
  return { system: text(request.system), messages: request.messages.map(text), tools: request.tools.map(text) };
}

/** Index of the first request that is not the same in both; `null` if all of them are. */
export function firstChangedRequest(before: PackedReplay, after: PackedReplay): number | null {
  const most = Math.max(before.requests.length, after.requests.length);
  for (let index = 0; index < most; index += 1) {
    const [a, b] = [unpackRequest(before, index), unpackRequest(after, index)];
    if (JSON.stringify(a) !== JSON.stringify(b)) return index;
  }
  return null;
}
