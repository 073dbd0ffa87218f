// What a snippet finds where it runs: the values that its hidden setup declares, the files that it reads, and the servers that it calls. Every model is scripted: it
// loads the skill `refunds` where it can, and then says that it is done.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tool as langChainTool } from '@langchain/core/tools';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
import { createSkillset, defineSkill, emptySkillState, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel, type ScriptedTurn } from '@repertoire/skills-testkit/langchain';
import { jsonSchema, tool } from 'ai';
import { humanInTheLoopMiddleware } from 'langchain';
import { createStorage } from 'unstorage';

const skillMd = (name: string, tools = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when someone asks for it.\n${tools}---\nFollow the rules of ${name}.\n`;

/** The files of the folder that a snippet runs in. */
const files: Readonly<Record<string, string>> = {
  'skills/refunds/SKILL.md': skillMd('refunds', 'tools: process_refund\n'),
  'skills/refunds/references/policy.md': '# Policy\n',
  'examples/skills/sql-review/SKILL.md': skillMd('sql-review'),
  'workspace/agents/planner/AGENT.md': '---\nskills:\n  - travel-planning\n---\nYou plan trips.\n',
  'workspace/skills/travel-planning/SKILL.md': skillMd('travel-planning'),
  'agents/support.agent.yaml': agentOfGuide(),
};

/** The file that the guide of declarative agents shows. The guide is copied beside this module. */
function agentOfGuide(): string {
  const guide = readFileSync(new URL('./declarative.md', import.meta.url), 'utf8');
  const shown = guide.split('```yaml\n')[1]?.split('```')[0];
  if (shown === undefined) throw new Error('The guide shows no file.');
  return shown;
}

const library = [
  defineSkill({ name: 'refunds', description: 'Refunds.', body: 'Call process_refund.', tools: ['process_refund'] }),
  defineSkill({ name: 'deploy', description: 'Deploys.', body: 'Deploy to $ARGUMENTS.' }),
];
const card = { id: 'tides', version: '1.0.0', name: 'Tides', description: 'Tells the tides.', base_uri: '.', files: ['SKILL.md'] };

/** Loads the skill where it is offered and no tool was called yet. */
function turn(offered: readonly string[], answered: number): ScriptedTurn {
  const calls = offered.includes('load_skill') && answered === 0;
  return calls ? { toolCalls: [{ toolName: 'load_skill', input: { name: 'refunds' } }] } : { text: 'Done.' };
}

const aiModel = () =>
  scriptedModel(({ tools = [], prompt }) =>
    turn(
      tools.map(({ name }) => name),
      prompt.filter(({ role }) => role === 'tool').length,
    ),
  );
const chatModel = () =>
  scriptedChatModel(({ tools, messages }) =>
    turn(
      tools.map((one) => String((one as { readonly name?: unknown }).name)),
      messages.filter(({ type }) => type === 'tool').length,
    ),
  );

const aiTool = () => tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'Done.' });
const chatTool = (name: string) =>
  langChainTool(async () => 'Done.', { name, description: 'Does it.', schema: { type: 'object', properties: {} } });
const toolNames = ['process_refund', 'search_docs', 'lookup_order', 'get_weather', 'refund', 'shell'];

/** The values that snippets of one framework find. */
async function valuesOf(framework: 'ai' | 'langchain'): Promise<Readonly<Record<string, unknown>>> {
  const skillset = createSkillset({ skills: library });
  const session = await skillset.open();
  const isAi = framework === 'ai';
  return {
    model: isAi ? aiModel() : chatModel(),
    small: isAi ? aiModel() : chatModel(),
    ...Object.fromEntries(toolNames.map((name) => [name, isAi ? aiTool() : chatTool(name)])),
    tools: {},
    skills: await aiSdkSkills(skillset, { tools: { process_refund: aiTool() } }),
    skillset,
    support: skillset,
    billing: createSkillset({ skills: library }),
    session,
    state: emptySkillState,
    prompt: 'I want my money back.',
    typed: '/refunds A-17',
    messages: [],
    history: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    skill: {
      ...library[1],
      version: null,
      origin: { kind: 'code', label: 'code', trusted: true },
      resources: [],
      diagnostics: [],
      steps: [{ name: 'offers', prompt: 'Find offers.' }],
    },
    humanInTheLoopMiddleware,
    app: { on: () => {} },
    text: JSON.stringify(card),
    storage: createStorage(),
  };
}

/** How many answers models gave over the wire; each has ids of its own. */
let answers = 0;

const acme = createSkillsHandler(new SkillRegistry({ skills: library }));
const crm = createMcpSkillsHandler(new SkillRegistry({ skills: library }));

/** The servers that snippets call. Nothing goes beyond this process. */
async function answer(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url);
  if (host === 'skills.acme.example') return await acme(request);
  if (host === 'crm.example') return await crm.fetch(request);
  if (host !== 'api.openai.com' && host !== 'api.anthropic.com') throw new TypeError(`A snippet calls ${host}, which is not there.`);
  answers += 1;
  const body = (await request.json()) as {
    readonly input?: readonly { readonly type?: string }[];
    readonly messages?: readonly { readonly role?: string; readonly content: unknown }[];
    readonly tools?: unknown;
  };
  const isOffered = JSON.stringify(body.tools ?? []).includes('"load_skill"');
  const input = { name: 'refunds' };
  if (pathname.endsWith('/chat/completions')) {
    const isFirst = isOffered && !body.messages?.some(({ role }) => role === 'tool');
    const call = { id: `call_${answers}`, type: 'function', function: { name: 'load_skill', arguments: JSON.stringify(input) } };
    const message = isFirst ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: 'Done.' };
    return Response.json({
      id: `chatcmpl_${answers}`,
      object: 'chat.completion',
      created: 1,
      model: 'gpt-5.5',
      choices: [{ index: 0, message, finish_reason: isFirst ? 'tool_calls' : 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  }
  if (host === 'api.openai.com') {
    const isFirst = isOffered && !body.input?.some(({ type }) => type === 'function_call_output');
    const output = isFirst
      ? {
          type: 'function_call',
          id: `fc_${answers}`,
          call_id: `call_${answers}`,
          name: 'load_skill',
          arguments: JSON.stringify(input),
          status: 'completed',
        }
      : {
          type: 'message',
          id: `msg_${answers}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
        };
    return Response.json({
      id: `resp_${answers}`,
      object: 'response',
      created_at: 1,
      model: 'gpt-5.5',
      status: 'completed',
      output: [output],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  }
  const isFirst = isOffered && !JSON.stringify(body.messages).includes('tool_result');
  const content = isFirst ? { type: 'tool_use', id: `toolu_${answers}`, name: 'load_skill', input } : { type: 'text', text: 'Done.' };
  return Response.json({
    id: `msg_${answers}`,
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [content],
    stop_reason: isFirst ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
}

/** Makes the world of one snippet, in the folder that the process is in. */
export async function enterWorld(code: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  Object.assign(process.env, { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', SKILLS_STATE_SECRET: 'x'.repeat(40) });
  const isLangChain = /langchain|declarative/.test(code);
  Object.assign(globalThis, await valuesOf(isLangChain ? 'langchain' : 'ai'), {
    fetch: (input: string | URL | Request, init?: RequestInit) => answer(new Request(input, init)),
  });
}
