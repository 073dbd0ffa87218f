import { defaultSettings, gatedToolsOf, modelOf, type PromptSettings } from './prompt-settings.ts';

/** The settings as a program: what to write to get exactly this prompt. Pure. */
export function settingsCode(settings: PromptSettings): string {
  const { framework, instructions, gate } = settings;
  const { before = [], after = [], agent } = programs[framework];
  const imports = [
    ...before,
    `import { fileSystemSkillProvider } from '@repertoire/skill-fs';`,
    `import { createSkillset } from '@repertoire/skills-core';`,
    ...after,
  ];
  const gated = gate === 'hide' ? `, { gate: 'hide' }` : '';
  return `${imports.join('\n')}

const provider = fileSystemSkillProvider({ roots: ['./skills'] });
const skillset = createSkillset(${object({ provider: raw('provider'), ...skillsetOptions(settings) })});

${agent(JSON.stringify(instructions), gated)}
`;
}

/**
 * What each framework makes of a skillset, and what is imported for it, in the order of the names.
 */
interface Program {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly agent: (instructions: string, gated: string) => string;
}

const programs: Readonly<Record<PromptSettings['framework'], Program>> = {
  core: {
    agent: (instructions) => `const session = await skillset.open();
const system = session.instructions(${instructions});
const { tools } = session;`,
  },
  'ai-sdk': {
    before: [`import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';`],
    after: [`import { ToolLoopAgent } from 'ai';`],
    agent: (instructions, gated) => `const skills = await aiSdkSkills(skillset${gated});
const agent = new ToolLoopAgent({ model, ...skills.agentSettings({ instructions: ${instructions} }) });`,
  },
  langchain: {
    before: [`import { skillsMiddleware } from '@repertoire/adapter-langchain';`],
    after: [`import { createAgent } from 'langchain';`],
    agent: (instructions, gated) =>
      `const agent = createAgent({ model, systemPrompt: ${instructions}, middleware: [skillsMiddleware(skillset${gated})] });`,
  },
  'openai-agents': {
    before: [`import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';`],
    agent: (instructions, gated) => `const skills = openAiAgentsSkills(skillset${gated});
const agent = skills.agent({ name: 'assistant', instructions: ${instructions}, model });
const { callModelInputFilter } = skills; // for run(agent, input, { callModelInputFilter, context: {} })`,
  },
};

function skillsetOptions(settings: PromptSettings): Record<string, unknown> {
  const { maxTokens, format, mode, surface, refreshAfter } = settings;
  const catalog = {
    ...(maxTokens !== defaultSettings.maxTokens && { maxTokens }),
    ...(format !== defaultSettings.format && { format }),
  };
  const gated = gatedToolsOf(settings);
  const shown = {
    ...(mode !== defaultSettings.mode && { mode }),
    ...modelOf(settings),
    ...(surface !== defaultSettings.surface && { tools: surface }),
  };
  return {
    ...(Object.keys(catalog).length > 0 && { catalog }),
    ...(Object.keys(shown).length > 0 && { surface: shown }),
    ...(gated.length > 0 && { gates: { tools: gated } }),
    ...(refreshAfter > 0 && { conversation: { refresh: { afterTokens: refreshAfter } } }),
  };
}

const raw = (code: string): { readonly code: string } => ({ code });

function object(value: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(value).map(([name, each]) => {
    const code = isRaw(each)
      ? each.code
      : JSON.stringify(each)
          .replaceAll(/"([a-zA-Z]+)":/g, ' $1: ')
          .replaceAll(/\}$/g, ' }')
          .replaceAll('"', "'");
    return code === name ? name : `${name}: ${code}`;
  });
  return `{ ${fields.join(', ')} }`;
}

function isRaw(value: unknown): value is { readonly code: string } {
  return typeof value === 'object' && value !== null && 'code' in value;
}
