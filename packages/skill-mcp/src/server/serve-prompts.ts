import { ProtocolError, ProtocolErrorCode, type McpServer } from '@modelcontextprotocol/server';
import type { ExposedSkills } from './exposed-skills.ts';
import { promptArguments, promptSkills, renderPrompt } from './skill-prompt.ts';

/** Handles prompts without registering any, so a server for one request costs nothing. */
export function servePrompts({ server }: McpServer, skills: ExposedSkills): void {
  server.registerCapabilities({ prompts: { listChanged: true } });
  server.setRequestHandler('prompts/list', async (_request, context) => ({
    prompts: (await promptSkills(skills, context.mcpReq.signal)).map((skill) => ({
      name: skill.name,
      title: skill.name,
      description: skill.description,
      arguments: promptArguments(skill).map((argument) => ({ ...argument, required: false })),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const skill = (await promptSkills(skills, context.mcpReq.signal)).find(({ name }) => name === params.name);
    if (skill === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${JSON.stringify(params.name)}.`);
    return await renderPrompt(skills, skill, params.arguments ?? {}, context.mcpReq.signal);
  });
}
