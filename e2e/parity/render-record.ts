import type { SkillState } from '@repertoire/skills-core';
import { loadedSkill, loadedSkillNames } from '@repertoire/skills-core/adapter';
import type { AdapterMessage } from '@repertoire/skills-testkit/adapter';
import type { ModelCall } from '@repertoire/skills-testkit/internal';

/** The whole conversation as a person reads it: what never changes stands once at the top, and each call shows what is new in it. */
export function renderRecord(calls: readonly ModelCall[]): string {
  const [first] = calls;
  if (first === undefined) return '';
  const sections = [heading('SYSTEM PROMPT, the same in every call', first.system)];
  for (const { name, description, schema } of first.tools)
    sections.push(heading(`TOOL ${name}, the same in every call`, `${description}\n${schema}`));
  let before: ModelCall | undefined;
  for (const [index, call] of calls.entries()) {
    const grown = before !== undefined && isStart(before.messages, call.messages);
    const changed = [
      ...(call.system === first.system ? [] : [call.system]),
      ...(JSON.stringify(call.tools) === JSON.stringify(first.tools) ? [] : [JSON.stringify(call.tools, null, 2)]),
    ];
    const news = call.messages.slice(grown ? before?.messages.length : 0);
    const title = `CALL ${index + 1}${before === undefined || grown ? '' : ', after a cut: all of its messages'}`;
    sections.push(heading(title, [...changed, ...news.map(renderMessage), renderState(call.state)].join('\n\n')));
    before = call;
  }
  return `${sections.join('\n\n')}\n`;
}

function heading(title: string, text: string): string {
  return `======== ${title} ========\n\n${text}`;
}

function renderMessage(message: AdapterMessage): string {
  if (message.from === 'user') return `[user]\n${message.text}`;
  if (message.from === 'tool') return `[result of ${message.tool}]\n${message.text}`;
  const calls = message.calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
  return `[model]\n${[...(message.text === '' ? [] : [message.text]), ...calls].join('\n')}`;
}

function renderState(state: SkillState): string {
  const lines = loadedSkillNames(state).map((name) => `${name} ${JSON.stringify(loadedSkill(state, name))}`);
  return `[state]\n${lines.length === 0 ? 'nothing is loaded' : lines.join('\n')}`;
}

function isStart(start: readonly AdapterMessage[], messages: readonly AdapterMessage[]): boolean {
  return start.every((message, index) => JSON.stringify(message) === JSON.stringify(messages[index]));
}
