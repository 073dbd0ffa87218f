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
    return this.#convert(callsOf(this.#message) ?? []);
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
    // What is `undefined` is missing in JSON.
    return { type, content, tool_calls: callsOf(this.#message), name, id };
  }
}

function callsOf(message: BaseMessage): readonly unknown[] | undefined {
  return (message as { readonly tool_calls?: readonly unknown[] }).tool_calls;
}
