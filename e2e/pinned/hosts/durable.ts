import { entrypoint, MemorySaver } from '@langchain/langgraph';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { emptySkillState, type SkillState } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { durableAgent, type DurableEngine } from '@repertoire/skill-workflow/agent';
import { durableAiSdk } from '@repertoire/skill-workflow/ai-sdk';
import { langGraphEngine } from '@repertoire/skill-workflow/langgraph';
import { generateText, isStepCount, tool, type ModelMessage } from 'ai';
import { z } from 'zod';
import type { World } from '../../../packages/skills-core/test/helpers/pinned-worlds.ts';
import { renamedIn, type PinnedAgent, type PinnedAnswer } from '../agent-conversation.ts';

const inputSchema = z.object({});

/**
 * `generateText` in runs of LangGraph, each request a run of its own. After a resume, the process
 * of the next run dies at one of its steps. The skills are edited before another process goes on
 * with it.
 */
export function durableAgentOf(world: World): PinnedAgent {
  const checkpointer = new MemorySaver();
  let stored: { readonly messages: ModelMessage[]; readonly state: SkillState } = { messages: [], state: emptySkillState };
  let [runs, deaths] = [0, 0];
  let isDoomed = false;
  return {
    async ask({ options, calls, tools, fork }) {
      const toolCalls = calls.map(([toolName, input], index) => ({ toolName, input, toolCallId: `call-${index}` }));
      const config = { configurable: { thread_id: `run-${(runs += 1)}` } };
      /** What the model was given, also by a process that died. */
      const shown: string[] = [];
      /** What was stored when the run began is where each process begins. */
      const before = JSON.stringify({ ...stored, messages: [...stored.messages, { role: 'user', content: 'Go on.' }] });
      let answer: PinnedAnswer | undefined;
      const play = async (run: DurableEngine): Promise<void> => {
        const { messages, state } = JSON.parse(before) as typeof stored;
        const durable = durableAgent(run);
        const sdk = durableAiSdk(durable);
        const hostTools = Object.entries(tools).map(
          ([name, execute]) => [name, tool({ inputSchema, execute: async () => execute() })] as const,
        );
        const { skillset, session } = await durable.openSkills({ ...options, provider: world.provider });
        const box = { current: state };
        const skills = await aiSdkSkills(skillset, { session, tools: sdk.tools(Object.fromEntries(hostTools)), fork, state: box });
        let given: readonly ModelMessage[] = [];
        const model = scriptedModel(({ prompt }) => {
          shown.push(JSON.stringify(prompt));
          const isFirst = prompt.at(-1)?.role === 'user';
          return isFirst && toolCalls.length > 0 ? { toolCalls } : { text: 'Done.' };
        });
        const settings = sdk.settings({ model, ...skills.agentSettings() });
        const { responseMessages } = await generateText({
          ...settings,
          messages,
          stopWhen: isStepCount(3),
          prepareStep: async (step) => {
            const prepared = await settings.prepareStep(step);
            given = prepared?.messages ?? step.messages;
            return prepared;
          },
        });
        durable.throwIfCut();
        const last = given.at(-1);
        const parts = last?.role === 'tool' ? last.content : [];
        const results = toolCalls.map(({ toolCallId }) => {
          const part = parts.find((candidate) => candidate.type === 'tool-result' && candidate.toolCallId === toolCallId);
          return part?.type === 'tool-result' && 'value' in part.output ? String(part.output.value) : '';
        });
        stored = { messages: [...messages, ...responseMessages], state: box.current };
        answer = { results, shown: JSON.stringify([shown, given]) };
      };
      const { promise: died, resolve: die } = Promise.withResolvers<'died'>();
      let left = isDoomed ? (deaths += 1) % 6 : Number.POSITIVE_INFINITY;
      isDoomed = false;
      const mortal = (run: DurableEngine): DurableEngine => ({
        ...run,
        async runStep(id, work) {
          left -= 1;
          if (left < 0) {
            die('died');
            await new Promise(() => {});
          }
          return await run.runStep(id, work);
        },
      });
      const graphOf = (process: (run: DurableEngine) => DurableEngine) =>
        entrypoint({ name: 'pinned', checkpointer }, async (_input: string | null, given) => {
          // All runs are of one conversation, in which an answer counts.
          await play(process({ ...langGraphEngine(given), workflowId: 'one' }));
          return 'done';
        });
      const ended = await Promise.race([graphOf(mortal).invoke('go', config), died]);
      if (ended === 'died') {
        world.change({ do: 'edit', name: 'refunds', source: 0 });
        await graphOf((run) => run).invoke(null, config);
      }
      return answer ?? { results: [], shown: '' };
    },
    async cut() {
      stored = { ...stored, messages: [] };
    },
    async claim(from, to) {
      stored = renamedIn(stored, from, to);
    },
    async resume() {
      stored = JSON.parse(JSON.stringify(stored)) as typeof stored;
      isDoomed = true;
    },
  };
}
