import { contentText, listOf, objectOf, textOf, type Json } from '../json-shape.ts';
import { addResults, type RecordedDisclosure, type RecordedPart, type RecordedResult, type RecordedTurn } from '../recording.ts';
import { withoutRewound } from './claude-code-branches.ts';

const baseDirectory = /^Base directory for this skill: ([^\n]{1,4096})(?:\n|$)/;
/** Claude Code writes a typed command in tags, one for each part. */
const commandName = /<command-name>\/?([^<]{1,200})<\/command-name>/;
const commandArguments = /<command-args>([^<]{0,10000})<\/command-args>/;
const endOfPath = /[\s"'`;|&<>)]/;

type Call = Extract<RecordedPart, { type: 'call' }>;

/** Whether this is a line of a session file: an envelope with an id and a parent. */
export function isClaudeCodeLine(line: Json): boolean {
  return (line['type'] === 'user' || line['type'] === 'assistant') && 'message' in line && ('uuid' in line || 'sessionId' in line);
}

/**
 * A session of Claude Code. The model loads a skill by the tool `Skill`, a person by a command;
 * either way, the text of the skill follows in a message that no person wrote. Files of a loaded
 * skill are read by `Read`, and its scripts run by `Bash`.
 *
 * Left out are lines of other kinds (there are many, and new ones with each release), prompts that
 * the user took back together with their answers, and messages of sub-agents, unless the file is
 * the one of a sub-agent.
 */
export function readClaudeCode(lines: readonly unknown[]): RecordedTurn[] {
  const messages = withoutRewound(lines.map(objectOf)).filter(isClaudeCodeLine);
  const isSubAgent = messages.every((line) => line['isSidechain'] === true);
  const reader = new SessionReader();
  for (const line of messages) if (isSubAgent || line['isSidechain'] !== true) reader.read(line);
  return reader.turns;
}

class SessionReader {
  readonly turns: RecordedTurn[] = [];
  readonly #calls = new Map<string, Call>();
  /** Folders of the skills that were loaded, by their paths with `/`. */
  readonly #folders = new Map<string, string>();
  /** Where the answer of the model with an id stands in `turns`. */
  readonly #answers = new Map<string, number>();
  /** The skill of the last load, by the model or by a command, whose text has not come yet. */
  #awaited: string | undefined;

  read(line: Json): void {
    const message = objectOf(line['message']);
    const at = typeof line['timestamp'] === 'string' ? { at: line['timestamp'] } : {};
    if (line['type'] === 'assistant') this.#addAnswer(textOf(message['id']), partsOf(message['content']), at);
    else this.#addUser(line, message['content'], at);
  }

  /** An answer is several lines, one for each block. Results may stand between them. */
  #addAnswer(id: string, parts: readonly RecordedPart[], at: { readonly at?: string }): void {
    for (const part of parts) if (part.type === 'call') this.#calls.set(part.id, part);
    const last = this.turns.length - 1;
    const index = this.#answers.get(id) ?? (this.turns[last]?.role === 'assistant' ? last : -1);
    const turn = this.turns[index];
    if (turn?.role === 'assistant') this.turns[index] = { ...turn, parts: [...turn.parts, ...parts] };
    else if (parts.length > 0) this.turns.push({ role: 'assistant', parts, ...at });
    if (id !== '') this.#answers.set(id, index === -1 ? this.turns.length - 1 : index);
  }

  #addUser(line: Json, content: unknown, at: { readonly at?: string }): void {
    const blocks = listOf(content).map(objectOf);
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => this.#resultOf(block));
    if (results.length > 0) addResults(this.turns, results, at);
    this.#awaited = results.find(({ disclosure }) => disclosure?.kind === 'load')?.disclosure?.skill ?? this.#awaited;
    const text = contentText(blocks.length === 0 ? content : blocks.filter(({ type }) => type === 'text'));
    const folder = baseDirectory.exec(text)?.[1];
    if (folder !== undefined) {
      this.#addSkillText(folder, text, textOf(line['sourceToolUseID']), at);
      return;
    }
    if (text === '' || line['isMeta'] === true) return;
    const command = commandName.exec(text)?.[1];
    if (command !== undefined) this.#awaited = command;
    const words = commandArguments.exec(text)?.[1]?.trim() ?? '';
    this.turns.push({ role: 'user', text: command === undefined ? text : `/${command}${words === '' ? '' : ` ${words}`}`, ...at });
  }

  /** The skill's text replaces "Launching skill". A load by a person has no such result. */
  #addSkillText(folder: string, text: string, callId: string, at: { readonly at?: string }): void {
    const path = withSlashes(folder);
    const named = objectOf(this.#calls.get(callId)?.input)['skill'];
    const skill = textOf(named) || (this.#awaited ?? path.split('/').at(-1) ?? path);
    this.#folders.set(path, skill);
    this.#awaited = undefined;
    if (this.#placeText(callId, skill, text)) return;
    this.turns.push({
      role: 'tool',
      results: [{ id: '', tool: 'Skill', output: text, disclosure: { kind: 'load', skill, by: 'user' } }],
      ...at,
    });
  }

  /** Older sessions do not name the call: then it is the last load, if nothing came after it. */
  #placeText(callId: string, skill: string, text: string): boolean {
    const oldest = callId === '' ? this.turns.length - 1 : 0;
    for (let index = this.turns.length - 1; index >= oldest; index -= 1) {
      const turn = this.turns[index];
      if (turn?.role !== 'tool') continue;
      const place = turn.results.findLastIndex(({ id, disclosure }) =>
        callId === '' ? disclosure?.kind === 'load' && disclosure.skill === skill : id === callId,
      );
      if (place === -1) continue;
      this.turns[index] = { ...turn, results: turn.results.map((result, at) => (at === place ? { ...result, output: text } : result)) };
      return true;
    }
    return false;
  }

  #resultOf(block: Json): RecordedResult {
    const id = textOf(block['tool_use_id']);
    const call = this.#calls.get(id);
    const isFailed = block['is_error'] === true;
    const disclosure = call === undefined || isFailed ? undefined : this.#disclosureOf(call);
    return {
      id,
      tool: call?.tool ?? '',
      output: contentText(block['content']),
      ...(isFailed && { isFailed }),
      ...(disclosure !== undefined && { disclosure }),
    };
  }

  #disclosureOf({ tool, input }: Call): RecordedDisclosure | undefined {
    const fields = objectOf(input);
    switch (tool) {
      case 'Skill':
        return { kind: 'load', skill: textOf(fields['skill']) || textOf(fields['command']) };
      case 'Read': {
        const found = this.#pathInSkill(textOf(fields['file_path']));
        return found === undefined || found.at > 0 ? undefined : { kind: 'read', skill: found.skill, path: found.path };
      }
      case 'Bash': {
        const found = this.#pathInSkill(textOf(fields['command']));
        if (found === undefined) return undefined;
        const [script = ''] = found.path.split(endOfPath, 1);
        return script === '' ? undefined : { kind: 'script', skill: found.skill, path: script };
      }
      default:
        return undefined;
    }
  }

  /** The first path in a text that lies in the folder of a loaded skill. */
  #pathInSkill(text: string): { readonly skill: string; readonly path: string; readonly at: number } | undefined {
    const slashed = text.replaceAll('\\', '/');
    for (const [folder, skill] of this.#folders) {
      const at = slashed.indexOf(`${folder}/`);
      if (at !== -1) return { skill, path: slashed.slice(at + folder.length + 1), at };
    }
    return undefined;
  }
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

function withSlashes(folder: string): string {
  const slashed = folder.trim().replaceAll('\\', '/');
  return slashed.endsWith('/') ? slashed.slice(0, -1) : slashed;
}
