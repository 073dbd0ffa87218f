import type { ModelRequest } from '../frameworks/model-request.ts';
import type { PackedRequest } from './pack-replay.ts';

/**
 * Index of the request that a turn belongs to: the one that it answers, or the next one, which is
 * the first that has it in its messages.
 */
export function requestFor(requests: readonly Pick<PackedRequest, 'turn'>[], turn: number): number {
  const index = requests.findIndex((request) => request.turn === null || request.turn >= turn);
  return index === -1 ? requests.length - 1 : index;
}

/**
 * A request as lines that people can compare: texts in JSON keep their line breaks. It is for
 * reading; the exact bytes are beside it.
 */
export function readableRequest({ system, messages, tools }: ModelRequest): string {
  const part = (title: string, text: string): string => `## ${title}\n${text}\n`;
  return [
    part('system', system),
    ...messages.map((message, index) => part(`message ${index + 1}`, readable(message))),
    ...tools.map((tool) => part('tool', readable(tool))),
  ].join('\n');
}

function readable(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replaceAll('\\n', '\n').replaceAll('\\"', '"');
}
