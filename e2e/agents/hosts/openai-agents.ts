import { run, setTracingDisabled, tool, type FunctionTool, type ModelRequest } from '@openai/agents-core';
import { SandboxAgent, shell, skills as sandboxSkills } from '@openai/agents-core/sandbox';
import { UnixLocalSandboxClient } from '@openai/agents-core/sandbox/local';
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents-core/testing';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { lazySandboxSkills } from '@repertoire/bridges/openai-sandbox';
import {
  basePrompt,
  question,
  refundSchema,
  refundTool,
  scriptFor,
  type AgentHost,
  type CallNames,
  type SeenRequest,
} from '../conversation.ts';

setTracingDisabled(true);

function scripted(names: CallNames): { model: ScriptedModel; requests: SeenRequest[] } {
  const requests: SeenRequest[] = [];
  const model = new ScriptedModel(
    scriptFor(names).map((step, index) =>
      modelResponder(async ({ request }) => {
        requests.push(seen(request));
        return typeof step === 'string'
          ? [assistantMessage(step)]
          : [functionCall(step.tool, { ...step.input }, { callId: `call-${index}` })];
      }),
    ),
  );
  return { model, requests };
}

function seen({ systemInstructions, input, tools }: Readonly<ModelRequest>): SeenRequest {
  const items = typeof input === 'string' ? [] : input;
  return {
    system: systemInstructions ?? '',
    tools: JSON.stringify(tools.flatMap((given) => (given.type === 'function' ? [[given.name, given.description, given.parameters]] : []))),
    results: items.flatMap((item) => (item.type === 'function_call_result' ? [JSON.stringify(item.output)] : [])),
  };
}

const payTool = (pay: () => string): FunctionTool =>
  tool({ ...refundTool, parameters: refundSchema as never, strict: false, execute: pay }) as FunctionTool;

/** The adapter for the OpenAI Agents SDK. */
export const openAiAgentsHost: AgentHost = {
  framework: 'OpenAI Agents SDK',
  by: 'adapter',
  async play(skillset, pay) {
    const { model, requests } = scripted({
      load: (name) => ({ tool: 'load_skill', input: { name } }),
      read: (skill, path) => ({ tool: 'read_skill_file', input: { skill, path } }),
    });
    const skills = openAiAgentsSkills(skillset);
    const agent = skills.agent({ name: 'support', instructions: basePrompt, model, tools: [payTool(pay)] });
    await run(agent, question, { context: {}, callModelInputFilter: skills.callModelInputFilter });
    return requests;
  },
};

/** Skills of a sandbox: files that the model reads with a shell. */
export const openAiSandboxHost: AgentHost = {
  framework: 'OpenAI Agents SDK',
  by: 'bridge, `/openai-sandbox`',
  async play(skillset, pay) {
    const { model, requests } = scripted({
      load: (name) => ({ tool: 'load_skill', input: { skill_name: name } }),
      read: (name, path) => ({ tool: 'exec_command', input: { cmd: `cat .agents/${name}/SKILL.md .agents/${name}/${path}` } }),
    });
    const agent = new SandboxAgent({
      name: 'support',
      instructions: basePrompt,
      model,
      tools: [payTool(pay)],
      capabilities: [sandboxSkills({ lazyFrom: await lazySandboxSkills(skillset) }), shell()],
    });
    await run(agent, question, { sandbox: { client: new UnixLocalSandboxClient() } });
    return requests;
  },
};
