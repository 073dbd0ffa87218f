import { defaultSettings, type PromptSettings } from './prompt-settings.ts';

/** The settings as a program: what to write to get exactly this prompt. Pure. */
export function settingsCode(settings: PromptSettings): string {
  const { framework, instructions, gate } = settings;
  const skillset = `const provider = fileSystemSkillProvider({ roots: ['./skills'] });\nconst skillset = createSkillset(${object({ provider: raw('provider'), ...skillsetOptions(settings) })});`;
  const head = [
    `import { fileSystemSkillProvider } from '@repertoire/skill-fs';`,
    `import { createSkillset } from '@repertoire/skills-core';`,
  ];
  const base = JSON.stringify(instructions);
  const gated = gate === 'hide' ? `, { gate: 'hide' }` : '';
  if (framework === 'ai-sdk') {
    return `${[`import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';`, ...head, `import { ToolLoopAgent } from 'ai';`].join('\n')}

${skillset}

const skills = await aiSdkSkills(skillset${gated});
const agent = new ToolLoopAgent({ model, ...skills.agentSettings({ instructions: ${base} }) });
`;
  }
  if (framework === 'langchain') {
    return `${[`import { skillsMiddleware } from '@repertoire/adapter-langchain';`, ...head, `import { createAgent } from 'langchain';`].join('\n')}

${skillset}

const agent = createAgent({ model, systemPrompt: ${base}, middleware: [skillsMiddleware(skillset${gated})] });
`;
  }
  if (framework === 'openai-agents') {
    return `${[`import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';`, ...head].join('\n')}

${skillset}

const skills = openAiAgentsSkills(skillset${gated});
const agent = skills.agent({ name: 'assistant', instructions: ${base}, model });
const { callModelInputFilter } = skills; // for run(agent, input, { callModelInputFilter, context: {} })
`;
  }
  return `${head.join('\n')}

${skillset}

const session = await skillset.open();
const system = session.instructions(${base});
const { tools } = session;
`;
}

function skillsetOptions({ maxTokens, format, mode, model, surface, gatedTools, refreshAfter }: PromptSettings): Record<string, unknown> {
  const catalog = {
    ...(maxTokens !== defaultSettings.maxTokens && { maxTokens }),
    ...(format !== defaultSettings.format && { format }),
  };
  const slash = model.indexOf('/');
  const gated = gatedTools
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const shown = {
    ...(mode !== defaultSettings.mode && { mode }),
    ...(model !== '' && { model: slash > 0 ? { provider: model.slice(0, slash), model: model.slice(slash + 1) } : { model } }),
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
