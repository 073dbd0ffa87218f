import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** A line of the catalog in the system prompt. */
export interface CatalogLine {
  readonly name: string;
  readonly description: string;
}

/** A loaded skill in a tool result. */
export interface LoadedText {
  readonly name: string;
  readonly body: string;
  readonly files: readonly string[];
}

/** A file in a tool result. */
export interface FileText {
  readonly skill: string;
  readonly path: string;
  readonly text: string;
}

/** The skills that the system prompt names. */
export function readCatalog(prompt: LanguageModelV4Prompt): CatalogLine[] {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n');
  return Array.from(system.matchAll(/^<skill name="([^"]*)">(.*)<\/skill>$/gm), ([, name = '', description = '']) => ({
    name: unescape(name),
    description: unescape(description),
  }));
}

/** The last message of the user. */
export function readRequest(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast((message) => message.role === 'user');
  if (last?.role !== 'user') return '';
  return last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Tool results since the last message of the user, oldest first. */
export function readAnswers(prompt: LanguageModelV4Prompt): string[] {
  const start = prompt.findLastIndex((message) => message.role === 'user');
  return prompt.slice(start + 1).flatMap((message) => {
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part) => (part.type === 'tool-result' && part.output.type === 'text' ? [part.output.value] : []));
  });
}

/**
 * A skill's instructions and the files that it lists; `undefined` if the result is something else.
 */
export function readSkill(answer: string): LoadedText | undefined {
  const [, name, content] = /^<skill_content name="([^"]*)"[^>]*>\n([^]*)\n<\/skill_content>/.exec(answer) ?? [];
  if (name === undefined || content === undefined) return undefined;
  const [body = '', list = ''] = content.split('<skill_files>\n');
  // The first line explains how to read them.
  const files = list
    .split('\n')
    .slice(1)
    .filter((line) => /^[^\s<…]\S*$/.test(line));
  return { name: unescape(name), body: body.trim(), files };
}

/** The text of a file of a skill; `undefined` if the result is something else. */
export function readFileText(answer: string): FileText | undefined {
  const [, skill, path, text] = /^<skill_file skill="([^"]*)" path="([^"]*)"[^>]*>\n([^]*)\n<\/skill_file>/.exec(answer) ?? [];
  if (skill === undefined || path === undefined || text === undefined) return undefined;
  return { skill: unescape(skill), path: unescape(path), text };
}

/**
 * The tool with this description and these arguments. Names can be changed, so a model relies on
 * the description.
 */
export function findTool(
  tools: LanguageModelV4CallOptions['tools'],
  verb: RegExp,
  ...required: string[]
): LanguageModelV4FunctionTool | undefined {
  return tools?.find((tool): tool is LanguageModelV4FunctionTool => {
    return (
      tool.type === 'function' && verb.test(tool.description ?? '') && required.every((field) => tool.inputSchema.required?.includes(field))
    );
  });
}

function unescape(text: string): string {
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity);
}
