import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { isShallow } from '@repertoire/skills-core/internal';

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What a tool answered. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Bytes of one message of a server. */
export const maxAnswerBytes: number = 8 * 2 ** 20;
/** Tools of a server. */
export const maxTools = 1_000;

const maxNameCharacters = 128;
const maxDescriptionCharacters = 10_000;
const maxSchemaCharacters = 100_000;
/** As long as the longest answer of a skill tool. */
const maxAnswerCharacters = 400_000;

/** A tool that frameworks and models can bear; `null` for any other. */
export function boundedTool({ name, description = '', inputSchema }: Tool): ListedTool | null {
  const isBounded = name.length <= maxNameCharacters && isShallow(inputSchema) && JSON.stringify(inputSchema).length <= maxSchemaCharacters;
  return isBounded ? { name, description: cut(description, maxDescriptionCharacters), inputSchema } : null;
}

/** The text of an answer. */
export function boundedAnswer({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const texts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`));
  const text =
    texts.length > 0 || structuredContent === undefined
      ? texts.join('\n')
      : isShallow(structuredContent)
        ? JSON.stringify(structuredContent)
        : '[nested too deeply]';
  return { text: cut(text, maxAnswerCharacters), isError: isError === true };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[cut: the server sent ${text.length} characters]`;
}
