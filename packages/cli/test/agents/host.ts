import type { AgentHost } from '@repertoire/declarative/node';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import base from '../../../../examples/declarative-agents/src/host.ts';

/** The host of the example, with a model that loads the skill, calls its tool and answers. */
const hostOf = (): AgentHost => ({
  ...base,
  models: {
    'my-llm': scriptedModel([
      { toolCalls: [{ toolName: 'load_skill_md', input: { name: 'weather' } }] },
      { text: 'I use the weather skill.' },
      { toolCalls: [{ toolName: 'get_weather', input: { city: 'Oslo' } }] },
      { text: 'It is -3 °C in Oslo.' },
    ]),
  },
});
export default hostOf;
