import { contentText, listOf, objectOf, textOf, type Json } from '../json-shape.ts';
import type { RecordedDisclosure, RecordedPart, RecordedResult, RecordedTurn } from '../recording.ts';

/** How the text of a skill begins that a session was given. */
const baseDirectory = /^Base directory for this skill: ([^\n]+)\n/;

/** Whether this is a line of a session file: a message inside an envelope with an id and a parent. */
export function isClaudeCodeLine(line: Json): boolean {
  return (line['type'] === 'user' || line['type'] === 'assistant') && 'message' in line && ('uuid' in line || 'sessionId' in line);
}

/**
 * A session of Claude Code. A skill is loaded by the tool `Skill`; its text follows in a message that no person wrote. Files of a loaded
 * skill are read by `Read`. Messages of sub-agents (side chains) are left out.
 */
export function readClaudeCode(lines: readonly unknown[]): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  const calls = new Map<string, Extract<RecordedPart, { type: 'call' }>>();
  const folders = new Map<string, string>();
  /** The load whose text has not come yet. */
  let awaited: string | undefined;
  for (const line of lines.map(objectOf)) {
    if (!isClaudeCodeLine(line) || line['isSidechain'] === true) continue;
    const { content } = objectOf(line['message']);
    const at = typeof line['timestamp'] === 'string' ? { at: line['timestamp'] } : {};
    if (line['type'] === 'assistant') {
      const parts = partsOf(content);
      for (const part of parts) if (part.type === 'call') calls.set(part.id, part);
      const last = turns.at(-1);
      // One answer is written as several lines, one for each block.
      if (last?.role === 'assistant') turns[turns.length - 1] = { ...last, parts: [...last.parts, ...parts] };
      else if (parts.length > 0) turns.push({ role: 'assistant', parts, ...at });
      continue;
    }
    const results = listOf(content)
      .map(objectOf)
      .filter(({ type }) => type === 'tool_result');
    const text = contentText(
      listOf(content).length === 0 ? content : listOf(content).filter((block) => objectOf(block)['type'] === 'text'),
    );
    const folder = baseDirectory.exec(text)?.[1];
    if (results.length > 0) {
      const read = results.map((result) => resultOf(result, calls, folders));
      turns.push({ role: 'tool', results: read, ...at });
      awaited = read.find(({ disclosure }) => disclosure?.kind === 'load')?.disclosure?.skill ?? awaited;
    }
    if (folder !== undefined) {
      const skill = awaited ?? folder.split('/').at(-1) ?? folder;
      folders.set(folder.replace(/\/$/, ''), skill);
      // The text itself is what was disclosed: it takes the place of "Launching skill".
      if (!placeText(turns, skill, text))
        turns.push({
          role: 'tool',
          results: [{ id: '', tool: 'Skill', output: text, disclosure: { kind: 'load', skill, by: 'user' } }],
          ...at,
        });
      awaited = undefined;
    } else if (text !== '' && line['isMeta'] !== true) turns.push({ role: 'user', text, ...at });
  }
  return turns;
}

function partsOf(content: unknown): RecordedPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content)
    .map(objectOf)
    .flatMap((block): RecordedPart[] => {
      if (block['type'] === 'text') return [{ type: 'text', text: textOf(block['text']) }];
      if (block['type'] === 'thinking') return [{ type: 'reasoning', text: textOf(block['thinking']) }];
      if (block['type'] === 'tool_use')
        return [{ type: 'call', id: textOf(block['id']), tool: textOf(block['name']), input: block['input'] }];
      return [];
    });
}

function resultOf(
  block: Json,
  calls: ReadonlyMap<string, { readonly tool: string; readonly input: unknown }>,
  folders: ReadonlyMap<string, string>,
): RecordedResult {
  const id = textOf(block['tool_use_id']);
  const call = calls.get(id);
  const isFailed = block['is_error'] === true;
  const disclosure = call === undefined || isFailed ? undefined : disclosureOf(call, folders);
  return {
    id,
    tool: call?.tool ?? '',
    output: contentText(block['content']),
    ...(isFailed && { isFailed }),
    ...(disclosure !== undefined && { disclosure }),
  };
}

function disclosureOf(
  call: { readonly tool: string; readonly input: unknown },
  folders: ReadonlyMap<string, string>,
): RecordedDisclosure | undefined {
  const input = objectOf(call.input);
  if (call.tool === 'Skill') return { kind: 'load', skill: textOf(input['skill']) || textOf(input['command']) };
  if (call.tool !== 'Read') return undefined;
  const path = textOf(input['file_path']);
  for (const [folder, skill] of folders)
    if (path.startsWith(`${folder}/`)) return { kind: 'read', skill, path: path.slice(folder.length + 1) };
  return undefined;
}

function placeText(turns: RecordedTurn[], skill: string, text: string): boolean {
  const last = turns.at(-1);
  if (last?.role !== 'tool') return false;
  const index = last.results.findIndex(({ disclosure }) => disclosure?.kind === 'load' && disclosure.skill === skill);
  if (index === -1) return false;
  turns[turns.length - 1] = { ...last, results: last.results.map((result, at) => (at === index ? { ...result, output: text } : result)) };
  return true;
}
