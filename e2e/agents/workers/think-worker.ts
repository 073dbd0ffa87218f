import { Think } from '@cloudflare/think';
import { cloudflareSkillSource } from '@repertoire/bridges/cloudflare';
import { createSkillset, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { getAgentByName } from 'agents';

const provider = new SkillRegistry({
  skills: [
    { name: 'refunds', description: 'Gives money back.', body: 'Ask first.' },
    { name: 'salaries', description: 'Pays salaries.', body: 'On the last day.' },
  ],
});
const skillset = createSkillset<string>({ provider, audience: { select: ({ name }, role) => name !== 'salaries' || role === 'clerk' } });

interface Env {
  readonly SUPPORT: Parameters<typeof getAgentByName>[0];
}

/** An agent of Think, whose skills are those that its name may see. */
export class Support extends Think<Env> {
  readonly #model = scriptedModel([{ toolCalls: [{ toolName: 'activate_skill', input: { name: 'refunds' } }] }, { text: 'Done.' }]);

  override getModel() {
    return this.#model;
  }

  override getSkills() {
    return [cloudflareSkillSource(skillset, { context: this.name })];
  }

  /** Has one turn, and tells what the model was given at each step. */
  async play(): Promise<string[]> {
    await this.runTurn({ input: 'Give the money for order 7 back.' });
    return this.#model.calls.map(({ prompt, tools }) => JSON.stringify({ prompt, tools }));
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const agent = await getAgentByName(env.SUPPORT, new URL(request.url).pathname.slice(1));
    return Response.json(await agent.play());
  },
};
