import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { createSkill } from '@mastra/core/skills';
import { createTool } from '@mastra/core/tools';
import { Workspace } from '@mastra/core/workspace';
import { mastraSkills, mastraSkillSource } from '@repertoire/bridges/mastra';
import { z } from 'zod';
import { basePrompt, question, refundTool, type AgentHost } from '../conversation.ts';
import { scriptedLanguageModel, seenByLanguageModel } from './ai-sdk.ts';

type AgentConfig = ConstructorParameters<typeof Agent>[0];

function mastraHost(by: string, configOf: (skillset: Parameters<AgentHost['play']>[0]) => Partial<AgentConfig>): AgentHost {
  return {
    framework: 'Mastra',
    by,
    async play(skillset, pay) {
      const model = scriptedLanguageModel({
        load: (name) => ({ tool: 'skill', input: { name } }),
        read: (skillName, path) => ({ tool: 'skill_read', input: { skillName, path } }),
      });
      const issue_refund = createTool({
        id: refundTool.name,
        description: refundTool.description,
        inputSchema: z.object({ order: z.string() }),
        execute: async () => ({ text: pay() }),
      });
      const agent = new Agent({
        id: 'support',
        name: 'support',
        instructions: basePrompt,
        model: model as never,
        tools: { issue_refund },
        ...configOf(skillset),
      });
      await agent.generate(question, { maxSteps: 10, requestContext: new RequestContext() });
      return model.calls.map(seenByLanguageModel);
    },
  };
}

/** An agent with a workspace, whose source of skills is the library. */
export const mastraWorkspaceHost: AgentHost = mastraHost('bridge, `/mastra`: a workspace', (skillset) => ({
  workspace: new Workspace({ skillSource: mastraSkillSource(skillset), skills: ['/'] }),
}));

/** An agent with skills of its own. */
export const mastraAgentHost: AgentHost = mastraHost('bridge, `/mastra`: `createSkill`', (skillset) => ({
  skills: mastraSkills(skillset, { createSkill }),
}));
