import {
  BaseLlm,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  SkillToolset,
  type BaseLlmConnection,
  type LlmRequest,
  type LlmResponse,
} from '@google/adk';
import { adkSkills } from '@repertoire/bridges/adk';
import { z } from 'zod';
import { basePrompt, question, refundTool, scriptFor, type AgentHost, type ScriptedCall, type SeenRequest } from '../conversation.ts';

class ScriptedLlm extends BaseLlm {
  readonly requests: SeenRequest[] = [];
  readonly #script: readonly (ScriptedCall | string)[];

  constructor(script: readonly (ScriptedCall | string)[]) {
    super({ model: 'scripted' });
    this.#script = script;
  }

  override async *generateContentAsync({ config, contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    const step = this.#script[this.requests.length] ?? '';
    this.requests.push({
      system: JSON.stringify(config?.systemInstruction ?? ''),
      tools: JSON.stringify(config?.tools ?? []),
      results: contents.flatMap(({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) => (functionResponse ? [JSON.stringify(functionResponse.response)] : [])),
      ),
    });
    const part = typeof step === 'string' ? { text: step } : { functionCall: { name: step.tool, args: { ...step.input } } };
    yield { content: { role: 'model', parts: [part] } };
  }

  override connect(): Promise<BaseLlmConnection> {
    throw new Error('There is no live connection.');
  }
}

/** Google's ADK over the bridge. */
export const adkHost: AgentHost = {
  framework: 'Google ADK',
  by: 'bridge, `/adk`',
  // Its toolset would write a catalog, and no agent of this version asks it to: the model calls list_skills.
  hasCatalog: false,
  async play(skillset, pay) {
    const model = new ScriptedLlm(
      scriptFor({
        load: (name) => ({ tool: 'load_skill', input: { name } }),
        read: (skill_name, path) => ({ tool: 'load_skill_resource', input: { skill_name, path } }),
      }),
    );
    const refund = new FunctionTool({ ...refundTool, parameters: z.object({ order: z.string() }), execute: () => ({ text: pay() }) });
    const agent = new LlmAgent({
      name: 'support',
      instruction: basePrompt,
      model,
      tools: [refund, new SkillToolset(await adkSkills(skillset))],
    });
    const runner = new InMemoryRunner({ agent, appName: 'support' });
    const session = await runner.sessionService.createSession({ appName: 'support', userId: 'user' });
    const events = runner.runAsync({ userId: 'user', sessionId: session.id, newMessage: { role: 'user', parts: [{ text: question }] } });
    for await (const event of events) if (event.errorMessage) throw new Error(event.errorMessage);
    return model.requests;
  },
};
