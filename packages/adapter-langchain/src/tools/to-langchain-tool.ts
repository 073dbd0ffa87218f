import type { ToolMessage } from '@langchain/core/messages';
import { StructuredTool, tool, type StructuredToolInterface, type ToolRuntime } from '@langchain/core/tools';
import type { Command } from '@langchain/langgraph';
import type { SkillStateBox } from '@repertoire/skills-core/adapter';
import type { SkillToolDescription } from '@repertoire/skills-core/internal';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { answerSkillCall } from './answer-skill-call.ts';

/**
 * A skill tool as a tool of LangChain. In a graph it returns a `Command` that updates the state and
 * contains its `ToolMessage`. Elsewhere it returns the message, or the bare text if it was invoked
 * without a tool call.
 */
export function toLangChainTool<Context>(
  description: SkillToolDescription,
  binding: SkillsBinding<Context>,
  box?: SkillStateBox,
): StructuredToolInterface {
  const { name, role } = description;
  const lax = tool(
    async (input: unknown, runtime: ToolRuntime): Promise<Command | ToolMessage | string> =>
      answerSkillCall({ binding, description, input, runtime, box }),
    // A schema that accepts everything.
    { name, description: description.description, schema: {} as never, metadata: { repertoire: { role } } },
  ) as unknown as StructuredToolInterface;
  return new LaxlyCalledTool(description, lax);
}

/**
 * A tool that shows a model its exact schema and accepts any input. The core understands other
 * argument names, and answers a wrong call in words that a model can act on. LangChain's own
 * validation would only answer "did not match".
 */
class LaxlyCalledTool extends StructuredTool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly #lax: StructuredToolInterface;

  constructor({ role, name, description, inputSchema }: SkillToolDescription, lax: StructuredToolInterface) {
    super({ metadata: { repertoire: { role } } });
    this.name = name;
    this.description = description;
    this.schema = structuredClone(inputSchema);
    this.#lax = lax;
  }

  override async invoke(...[input, config]: Parameters<StructuredToolInterface['invoke']>): Promise<never> {
    return (await this.#lax.invoke(input, config)) as never;
  }

  override async call(...[input, config]: Parameters<StructuredToolInterface['call']>): Promise<never> {
    return (await this.#lax.call(input, config)) as never;
  }

  protected override async _call(input: unknown): Promise<unknown> {
    return this.#lax.invoke(input as never);
  }
}
