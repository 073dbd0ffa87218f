import { tool } from '@langchain/core/tools';
import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { expect, it } from 'vitest';

const skillset = createSkillset({ skills: [defineSkill({ name: 'changelog', description: 'Writes notes.', body: 'List them.' })] });
const impostor = (name: string) => tool(async () => 'Mine.', { name, description: 'Mine.', schema: { type: 'object', properties: {} } });
const answers = [{ toolCalls: [{ toolName: 'load_skill', input: { name: 'changelog' } }] }, { text: 'Done.' }];
const messages = [{ role: 'user', content: 'Hello' }];

it.each(['load_skill', 'read_skill_file'])('ADP-3: an agent whose own tool is named %s fails before its model is called', async (name) => {
  const model = scriptedModel(answers);
  const agent = createAgent({ model, tools: [impostor(name)], middleware: [skillsMiddleware(skillset)] });
  await expect(agent.invoke({ messages })).rejects.toThrow(`The tool "${name}" has the name of a skill tool`);
  expect(model.calls).toEqual([]);
});

it('ADP-3: a node refuses a tool with the name of a skill tool when it is made, and takes ours', async () => {
  const skills = langGraphSkills(skillset);
  const refused = expect.objectContaining({ code: 'reserved-tool-name' }) as Error;
  expect(() => skills.modelNode(scriptedModel(answers), { tools: [impostor('load_skill')] })).toThrow(refused);
  expect(() => skills.toolNode([impostor('load_skill')])).toThrow(refused);
  const model = scriptedModel(answers);
  const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
    .addNode('model', skills.modelNode(model, { tools: skills.tools }))
    .addNode('tools', skills.toolNode(skills.tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', (state) => (state.messages.length < 4 ? 'tools' : END), ['tools', END])
    .addEdge('tools', 'model')
    .compile();
  const { messages: all } = await graph.invoke({ messages });
  expect(all.some(({ text }) => text.includes('List them.'))).toBe(true);
});
