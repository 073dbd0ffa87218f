import type { ModelRequest } from '../frameworks/model-request.ts';
import type { PackedRequest } from './pack-replay.ts';

/** Index of the request of a turn: the one it answers, or the first that contains it. */
export function requestFor(requests: readonly Pick<PackedRequest, 'turn'>[], turn: number): number {
  const index = requests.findIndex((request) => request.turn === null || request.turn >= turn);
  return index === -1 ? requests.length - 1 : index;
}

/** A request as lines to compare: texts in JSON keep their line breaks. Not the exact bytes. */
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
