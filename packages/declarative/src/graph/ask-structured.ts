import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Validator } from '@langchain/core/utils/json_schema';
import { SkillError } from '@repertoire/skills-core';
import { quote } from '../document/hints.ts';
import type { ResponseFormatShape } from '../shape/agent-shape.ts';

interface Answer {
  readonly raw: BaseMessage;
  readonly parsed: unknown;
}

/**
 * Asks a model for JSON of a schema, in the way that the model supports best. The answer is a
 * message with that JSON as content, without a tool call that would wait for a result.
 *
 * @throws {SkillError} `agent-failed` for an answer that does not fit the schema
 */
export async function askStructured(
  model: BaseChatModel,
  format: ResponseFormatShape,
  messages: readonly BaseMessage[],
  config: RunnableConfig,
  node: string,
): Promise<AIMessage> {
  const { name, description } = format;
  const schema = { ...plain(format.schema), ...(description !== undefined && { description }) };
  const asking = model.withStructuredOutput<Record<string, unknown>>(schema, { name, includeRaw: true });
  const { raw, parsed } = (await asking.invoke([...messages], config)) as Answer;
  const value = parsed ?? readAnswer(raw, name);
  const { valid, errors } = new Validator(withoutPatterns(schema) as Record<string, unknown>, '2020-12', true).validate(value ?? null);
  if (!valid) {
    const why = errors.at(-1);
    const at = why === undefined ? '' : ` ${why.instanceLocation}: ${why.error}`;
    throw new SkillError(
      'agent-failed',
      `The model's answer to node ${quote(node)} has not the form ${quote(name)}.${at} It is ${quote(value ?? raw.text)}.`,
    );
  }
  const { usage_metadata: usage } = raw as AIMessage;
  const answer = new AIMessage({
    content: JSON.stringify(value),
    response_metadata: raw.response_metadata,
    ...(raw.id !== undefined && { id: raw.id }),
  });
  return usage === undefined ? answer : Object.assign(answer, { usage_metadata: usage });
}

/** LangChain's parser misses calls in messages that were not streamed, and JSON as text. */
function readAnswer(raw: BaseMessage, name: string): unknown {
  const call = (raw as AIMessage).tool_calls?.find((candidate) => candidate.name === name);
  if (call !== undefined) return call.args;
  try {
    return JSON.parse(raw.text) as unknown;
  } catch {
    return undefined;
  }
}

function plain(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

/** Patterns are not executed: some keep the regex engine busy for hours. The model reads them. */
function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, item]) => !(key === 'pattern' && typeof item === 'string') && key !== 'patternProperties' && key !== 'format',
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutPatterns(item)]));
}
