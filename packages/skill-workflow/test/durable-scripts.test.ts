import { emptySkillState, SkillRegistry } from '@repertoire/skills-core';
import { expect, it } from 'vitest';
import { skillScripts } from '../../skill-runner/src/scripts.ts';
import { durableAgent, type DurableEngine } from '../src/agent.ts';

/** Gives a step that ran before what was recorded of it, as text. */
function recordingEngine(records: Map<string, string>): DurableEngine {
  return {
    workflowId: 'w',
    async runStep(id, work) {
      const text = records.get(id) ?? JSON.stringify(await work());
      records.set(id, text);
      return JSON.parse(text) as never;
    },
  };
}

it('FLW-5: a script that the gate refuses now does not answer from the record of when it was open', async () => {
  const records = new Map<string, string>();
  let runs = 0;
  const scripts = skillScripts({
    label: 'counting',
    async run() {
      runs += 1;
      const confinement = { kind: 'none', holds: [] } as const;
      return { exitCode: 0, endedBy: 'exit', stdout: 'SECRET', stderr: '', truncated: false, durationMs: 0, filesWritten: [], confinement };
    },
  });
  const skill = { name: 'report', description: 'Reports.', body: 'Run it.', resources: { 'scripts/a.sh': 'echo' } };
  const run = async (isClosed: boolean): Promise<string | undefined> => {
    const { session } = await durableAgent(recordingEngine(records)).openSkills({
      provider: new SkillRegistry({ skills: [skill] }),
      scripts,
      gates: { tools: isClosed ? ['run_skill_script'] : [] },
    });
    const toolOf = (name: string) => session.tools.find((tool) => tool.name === name);
    const loaded = await toolOf('load_skill')?.execute({ name: 'report' }, { state: emptySkillState, callId: '1' });
    const state = session.apply(emptySkillState, loaded?.events ?? []);
    return (await toolOf('run_skill_script')?.execute({ skill: 'report', script: 'scripts/a.sh' }, { state, callId: '2' }))?.text;
  };
  expect(await run(false)).toContain('SECRET');
  expect(await run(false)).toContain('SECRET');
  expect(await run(true)).not.toContain('SECRET');
  expect(runs).toBe(1);
});
