import type { BaseMessage } from '@langchain/core/messages';

/** The fields of a message in expressions, with their types. */
export const messageFields: Readonly<Record<string, string>> = {
  type: 'string',
  content: 'dyn',
  text: 'string',
  tool_calls: 'list<dyn>',
  name: 'string',
  id: 'string',
};

/** A message in an expression. Keeps the original, so `[llm_response]` writes the answer itself. */
export class MessageView {
  readonly #message: BaseMessage;
  readonly #convert: (value: unknown) => unknown;

  constructor(message: BaseMessage, convert: (value: unknown) => unknown) {
    this.#message = message;
    this.#convert = convert;
  }

  get message(): BaseMessage {
    return this.#message;
  }

  get type(): string {
    return this.#message.type;
  }

  get content(): unknown {
    return this.#convert(this.#message.content);
  }

  get text(): string {
    return this.#message.text;
  }

  get tool_calls(): unknown {
    const { tool_calls: calls } = this.#message as { readonly tool_calls?: readonly unknown[] };
    return this.#convert(calls ?? []);
  }

  get name(): string {
    return this.#message.name ?? '';
  }

  get id(): string {
    return this.#message.id ?? '';
  }

  /** The message as plain data, for texts and JSON. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { type, content, name, id } = this.#message;
    const { tool_calls: calls } = this.#message as { readonly tool_calls?: readonly unknown[] };
    return {
      type,
      content,
      ...(calls !== undefined && { tool_calls: calls }),
      ...(name !== undefined && { name }),
      ...(id !== undefined && { id }),
    };
  }
}
