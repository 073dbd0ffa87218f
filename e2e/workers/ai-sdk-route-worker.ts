/**
 * A chat route as it is deployed to Workers: the state is kept beside the messages, the answer
 * streams to a page, skills bring tools, fork and are typed by hand. It answers what was seen of
 * each, as JSON.
 */
import { aiSdkSkills, forkAgent, localTools } from '@repertoire/adapter-vercel-ai';
import { mcpTools } from '@repertoire/adapter-vercel-ai/mcp';
import { skillPartOf, skillsDataChunk, type SkillUIMessage } from '@repertoire/adapter-vercel-ai/ui';
import { uploadSkills } from '@repertoire/adapter-vercel-ai/upload';
import { createSkillset, defineSkill, emptySkillState, type SkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  jsonSchema,
  pruneMessages,
  readUIMessageStream,
  streamText,
  tool,
  toUIMessageStream,
  type ModelMessage,
  type UIMessage,
} from 'ai';

const stopWhen = isStepCount(20);
const processRefund = tool({
  description: 'Refunds an order.',
  inputSchema: jsonSchema<{ order: string }>({ type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }),
  execute: ({ order }) => `refunded ${order}`,
});
const forecast = tool({ inputSchema: jsonSchema<{}>({ type: 'object' }), execute: () => 'sun' });

const refunds = defineSkill({
  name: 'refunds',
  description: 'Refunds orders. Use when a customer wants money back.',
  body: 'Confirm the order, then call process_refund.',
  tools: { process_refund: processRefund },
});
const skillset = createSkillset({
  skills: [
    refunds,
    defineSkill({ name: 'audit', description: 'Audits. Use when asked.', body: 'Audit $ARGUMENTS.', context: 'fork' }),
    defineSkill({
      name: 'weather',
      description: 'Tells the weather. Use when asked about it.',
      body: 'Call forecast.',
      fields: {
        local_tools: { forecast: { import_path: './tools.js#forecast' } },
        mcps: { web: { transport: 'http', url: 'http://127.0.0.1:1/mcp' } },
      },
    }),
  ],
});

type Tools = typeof refunds.toolSet;
type Turns = Parameters<typeof scriptedModel>[0];

async function turn(
  history: UIMessage[],
  text: string,
  state: { current: SkillState },
  turns: Turns,
): Promise<{ history: UIMessage[]; model: ScriptedModel; reports: string[] }> {
  const reports: string[] = [];
  const model = scriptedModel(turns);
  await using skills = await aiSdkSkills(skillset, {
    tools: refunds.toolSet,
    state,
    fork: forkAgent({ model: scriptedModel([{ text: 'All is well.' }]) }),
    toolSources: [
      localTools({ map: { './tools.js#forecast': forecast } }),
      mcpTools({ fetch: () => Promise.reject(new Error('no network here')) }),
    ],
    onDiagnostic: ({ code }) => reports.push(code),
  });
  const sent: UIMessage[] = [...history, { id: `${history.length}`, role: 'user', parts: [{ type: 'text', text }] }];
  const invoked = await skills.invoke(text, sent);
  // What is old is pruned, as a route does that pays for every token.
  const messages: ModelMessage[] = pruneMessages({
    messages: await convertToModelMessages(sent, { tools: skills.tools }),
    toolCalls: 'all',
  });
  const stream = createUIMessageStream<SkillUIMessage>({
    async execute({ writer }) {
      writer.write({ type: 'start' });
      for (const chunk of invoked?.chunks ?? []) writer.write(chunk as Parameters<typeof writer.write>[0]);
      const result = streamText({ model, messages: [...messages, ...(invoked?.messages ?? [])], stopWhen, ...skills.agentSettings() });
      writer.merge(toUIMessageStream<Tools, SkillUIMessage>({ stream: result.stream, sendStart: false }));
      await result.finishReason;
      writer.write(skillsDataChunk(state.current));
    },
  });
  let answer: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream })) answer = message;
  return { history: [...sent, ...(answer === undefined ? [] : [answer])], model, reports };
}

function labelsOf(history: readonly UIMessage[]): string[] {
  return history.flatMap(({ parts }) => parts.flatMap((part) => skillPartOf(part)?.label ?? []));
}

const worker = {
  async fetch(): Promise<Response> {
    const state = { current: emptySkillState };
    const call = (toolName: string, input: unknown) => ({ toolCalls: [{ toolName, input }] });
    const first = await turn([], 'I want my money back.', state, [
      call('process_refund', { order: 'A1' }),
      call('load_skill', { name: 'refunds' }),
      call('process_refund', { order: 'A1' }),
      { text: 'Done.' },
    ]);
    // As a browser and a database hand it back.
    const kept = JSON.parse(JSON.stringify(first.history)) as UIMessage[];
    const second = await turn(kept, '/weather', state, [
      call('forecast', {}),
      call('load_skill', { name: 'audit', arguments: 'it' }),
      { text: 'Sunny.' },
    ]);
    const { uploads } = await uploadSkills(skillset.provider, { apis: { none: { specificationVersion: 'v4' } as never } });
    return Response.json({
      labels: labelsOf(second.history),
      outputs: second.history.flatMap(({ parts }) =>
        parts.flatMap((part) =>
          'toolCallId' in part && part.state === 'output-available' && part.type !== 'dynamic-tool' ? [part.output] : [],
        ),
      ),
      loaded: loadedSkillNames(state.current),
      restore: JSON.stringify(second.model.calls[0]?.prompt).includes('Confirm the order, then call process_refund.'),
      forked: second.history.flatMap(({ parts }) => parts.flatMap((part) => skillPartOf(part)?.forked ?? [])),
      reports: second.reports,
      uploads: uploads.map(({ status }) => status),
    });
  },
};
export default worker;
