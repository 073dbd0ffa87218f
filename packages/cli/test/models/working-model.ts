import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';

/** Loads a skill, calls a tool that there is not, runs the script of the skill, and says what came of it. */
export function model(): ScriptedModel {
  return scriptedModel((call, index) => {
    if (index === 0) return { text: 'Let me look. ', toolCalls: [{ toolName: 'load_skill', input: { name: 'counter' } }] };
    if (index === 1)
      return {
        toolCalls: [
          { toolName: 'count_words', input: {} },
          { toolName: 'run_skill_script', input: { name: 'counter', script: 'scripts/count.sh', arguments: ['a', 'b'] } },
        ],
      };
    const results = call.prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
    return { text: `\u001B[2J😀 It said: ${JSON.stringify(results.at(-1))}` };
  });
}
