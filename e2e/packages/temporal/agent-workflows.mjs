/** An agent with skills in Temporal's sandbox: in the loop of the core, and in that of the AI SDK. */
// oxlint-disable-next-line import/no-unassigned-import
import './polyfills.mjs';
import * as temporal from '@temporalio/workflow';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { durableAiSdk, remoteAiSdkModel } from '@repertoire/skill-workflow/ai-sdk';
import { temporalAgent } from '@repertoire/skill-workflow/temporal';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';

export { parity } from './parity-workflows.mjs';

const options = { activities: { startToCloseTimeout: '30s', retry: { maximumAttempts: 3, initialInterval: 1 } } };

export const coreAgent = temporalAgent(temporal, options, async ({ durable, provider, askModel, callTool }) => {
  const { session } = await durable.openSkills({ provider });
  const transcript = [];
  for (let turn = 0; ; turn += 1) {
    const state = session.state(transcript);
    const answer = await durable.askModel(() => askModel({ turn, system: session.instructions('Help.'), transcript }));
    if (answer.text !== undefined) {
      return { text: answer.text, loaded: loadedSkillNames(state), answers: transcript.map(({ output }) => output) };
    }
    const entries = answer.toolCalls.map(({ toolCallId, toolName, input }) =>
      durable.inTurn(toolCallId, async (id) => {
        const own = session.tools.find(({ name }) => name === toolName);
        if (own !== undefined) return { tool: toolName, input, output: (await own.execute(input, { state, callId: id })).text };
        const verdict = await session.judgeCall(state, { tool: toolName, input });
        const output =
          verdict.decision === 'denied'
            ? String(verdict.error)
            : await durable.callTool(id, ({ idempotencyKey }) => callTool(toolName, input, idempotencyKey)).catch(String);
        return { tool: toolName, input, output };
      }),
    );
    transcript.push(...(await Promise.all(entries)));
  }
});

export const sdkAgent = temporalAgent(temporal, options, async ({ durable, provider, askModel, callTool }) => {
  const { skillset, session } = await durable.openSkills({ provider });
  const sdk = durableAiSdk(durable);
  const hostTool = (name) =>
    tool({
      description: name,
      inputSchema: jsonSchema({ type: 'object', properties: {} }),
      execute: (input, { toolCallId }) => callTool(name, input, toolCallId),
    });
  const tools = Object.fromEntries(['charge', 'mail', 'fail'].map((name) => [name, hostTool(name)]));
  const skills = await aiSdkSkills(skillset, { session, tools: sdk.tools(tools) });
  const model = remoteAiSdkModel({ ask: askModel });
  const settings = sdk.settings({ model, ...skills.agentSettings({ instructions: 'Help.' }) });
  const { text, responseMessages } = await generateText({ ...settings, prompt: 'Refund order A-17.', stopWhen: isStepCount(9) });
  const parts = responseMessages.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return { text, loaded: loadedSkillNames(skills.state(responseMessages)), answers: parts.map(({ output }) => output.value) };
});
