import type { AiSdkSkills } from '@repertoire/adapter-vercel-ai';
import type { SkillState } from '@repertoire/skills-core';
import { ToolLoopAgent } from 'ai';
import type { ChosenModel } from './choose-model.ts';
import { tokensOf } from './costs.ts';
import { readFileText, readSkill } from './read-prompt.ts';

/** Something that the agent did. */
export type DemoEvent =
  | { readonly type: 'said'; readonly text: string }
  | {
      readonly type: 'loaded';
      readonly skill: string;
      readonly description: string;
      readonly files: readonly string[];
      readonly tokens: number;
    }
  | { readonly type: 'read'; readonly skill: string; readonly path: string; readonly headings: readonly string[]; readonly tokens: number }
  | { readonly type: 'failed'; readonly tool: string; readonly message: string }
  | { readonly type: 'answered'; readonly text: string };

const instructions = 'You are a senior engineer who helps a colleague. Answer briefly and concretely.';

/** Lets an agent with these skills answer one request, and reports each of its steps. */
export async function runDemo(
  skills: AiSdkSkills,
  { model }: ChosenModel,
  request: string,
  tell: (event: DemoEvent) => void,
): Promise<SkillState> {
  const agent = new ToolLoopAgent({
    model,
    ...skills.agentSettings({ instructions }),
    onStepEnd({ text, toolResults, content, finishReason }) {
      const last = finishReason !== 'tool-calls';
      if (text !== '' && !last) tell({ type: 'said', text });
      for (const { toolName, output } of toolResults) {
        const answer = String(output);
        const tokens = tokensOf(answer);
        const skill = readSkill(answer);
        const file = readFileText(answer);
        if (skill !== undefined)
          tell({ type: 'loaded', skill: skill.name, description: descriptionOf(skills, skill.name), files: skill.files, tokens });
        else if (file !== undefined) tell({ type: 'read', skill: file.skill, path: file.path, headings: headingsOf(file.text), tokens });
        else if (answer.startsWith('Error (')) tell({ type: 'failed', tool: toolName, message: answer });
      }
      for (const part of content)
        if (part.type === 'tool-error') tell({ type: 'failed', tool: part.toolName, message: String(part.error) });
      if (last) tell({ type: 'answered', text });
    },
  });
  const { responseMessages } = await agent.generate({ prompt: request });
  return skills.state(responseMessages);
}

function descriptionOf({ session }: AiSdkSkills, name: string): string {
  return session.catalog.skills.find((skill) => skill.name === name)?.description ?? '';
}

function headingsOf(markdown: string): string[] {
  return Array.from(markdown.replace(/^```[^]*?^```$/gm, '').matchAll(/^## (.+)$/gm), ([, heading = '']) => heading.trim());
}
