import { scriptedModel, type ScriptedModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';

/** What the agent proposes when it is asked for the third report. */
export const proposal = {
  skill: 'weekly-report',
  reason: 'Asked for three weekly reports, and corrected in the same way each time.',
  files: [
    {
      path: 'SKILL.md',
      text: `---
name: weekly-report
description: Writes the weekly report of the support team. Use when a report of a week is wanted.
---

# Weekly report

1. Begin with the number of closed tickets.
2. Then write what was hard, in one sentence.
3. End with what comes next.
`,
    },
  ],
};

/**
 * Stands for a model, so that the example needs no key. It looks at nothing but what a model is
 * given: it uses the skill if the catalog has it, and proposes it when a task comes for the third
 * time.
 */
export function standInModel(): ScriptedModel {
  return scriptedModel((call) => {
    const system = textOf(call, 'system');
    const tools = textOf(call, 'tool');
    if (tools.includes('Begin with the number of closed tickets'))
      return { text: '12 tickets closed. The import was hard. Next: the audit.' };
    if (tools.includes('is noted')) return { text: 'Here is the report. I proposed a skill for it.' };
    if (system.includes('weekly-report')) return { toolCalls: [{ toolName: 'load_skill', input: { name: 'weekly-report' } }] };
    const asked = call.prompt.filter(({ role, content }) => role === 'user' && JSON.stringify(content).includes('weekly report')).length;
    return asked < 3 ? { text: 'This week was busy.' } : { toolCalls: [{ toolName: 'propose_skill', input: proposal }] };
  });
}

function textOf({ prompt }: ScriptedModelCall, role: string): string {
  return prompt.flatMap((message) => (message.role === role ? [JSON.stringify(message.content)] : [])).join('\n');
}
