import { listOf, objectOf, textOf, type Json } from '../json-shape.ts';

/**
 * The lines of a session without those that the user took back. Each line names the line before it
 * (`parentUuid`). After a rewind, the new prompt names the same line as the old one, which stays in
 * the file with all that followed it. Calls of one answer fork, too, so only prompts of people are
 * looked at. A line that stands there twice, as in a session that was resumed, is given once.
 */
export function withoutRewound(lines: readonly Json[]): readonly Json[] {
  const parents = new Map<string, string>();
  const lastPrompt = new Map<string, string>();
  const prompts: (readonly [parent: string, prompt: string])[] = [];
  const seen = new Set<string>();
  const distinct = lines.filter((line) => {
    const id = textOf(line['uuid']);
    if (id === '') return true;
    const known = `${id} ${JSON.stringify(line['message'])}`;
    if (seen.has(known)) return false;
    seen.add(known);
    const parent = textOf(line['parentUuid']);
    parents.set(id, parent);
    if (parent !== '' && isPrompt(line)) {
      lastPrompt.set(parent, id);
      prompts.push([parent, id]);
    }
    return true;
  });
  const rewound = new Map<string, boolean>(prompts.flatMap(([parent, id]) => (lastPrompt.get(parent) === id ? [] : [[id, true]])));
  if (rewound.size === 0) return distinct;
  return distinct.filter((line) => !isRewound(textOf(line['uuid']), parents, rewound));
}

/** Whether a line or one above it was taken back. Results are cached for the lines below. */
function isRewound(id: string, parents: ReadonlyMap<string, string>, known: Map<string, boolean>): boolean {
  const path: string[] = [];
  let at = id;
  while (at !== '' && !known.has(at)) {
    path.push(at);
    // A file may be damaged: its lines could name each other in a circle.
    known.set(at, false);
    at = parents.get(at) ?? '';
  }
  const result = known.get(at) ?? false;
  for (const each of path) known.set(each, result);
  return result;
}

function isPrompt(line: Json): boolean {
  if (line['type'] !== 'user' || line['isMeta'] === true || line['isSidechain'] === true) return false;
  const { content } = objectOf(line['message']);
  return typeof content === 'string' || listOf(content).every((block) => objectOf(block)['type'] !== 'tool_result');
}
