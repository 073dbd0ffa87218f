import { skillApprovals, SkillRegistry, type SkillGrant } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { call, counter, sessionOf } from './support/session-of.ts';

/** A conversation that loads the skill of an untrusted source after a person gave it these grants. */
async function loadedWith(grants: readonly SkillGrant[]) {
  const { skillset, runs } = sessionOf(
    { snippets: true },
    { provider: new SkillRegistry({ skills: [counter], trusted: false, label: 'web' }), approvals: skillApprovals() },
  );
  const session = await skillset.open();
  const question = await session.approvals?.ask(session.state([]), { tool: 'load_skill', input: { name: 'counter' } });
  if (question === undefined) throw new Error('Nobody was asked.');
  await session.approvals?.answer(question.id, { answer: 'content', grants });
  const loaded = await call(session, 'load_skill', { name: 'counter' });
  const ran = await call(session, 'run_skill_script', { skill: 'counter', script: 'scripts/count.sh' }, loaded.state);
  return { question, runs, loaded: loaded.text, ran };
}

describe('scripts and commands of a skill that a person approved', () => {
  it('APR-3: the question names them', async () => {
    const { question } = await loadedWith([]);
    expect(question.asks?.slice(1)).toEqual([
      { grant: 'scripts', what: ['scripts/count.sh', 'scripts/fail.sh'] },
      { grant: 'snippets', what: ['cat VERSION; echo run >> /tmp/log'] },
    ]);
  });

  it('APR-3: run with their grants, though the source is not trusted', async () => {
    const { loaded, ran, runs } = await loadedWith(['load', 'scripts', 'snippets']);
    expect(loaded).toContain('Version 1.2.3.');
    expect(loaded).toContain('scripts/count.sh: Counts the lines');
    expect(loaded).toContain('trust="untrusted"');
    expect(ran.text).toContain('exit="0"');
    expect(runs()).toBe(2);
  });

  it('APR-3: do not run without them', async () => {
    const commands = await loadedWith(['load', 'scripts']);
    expect(commands.loaded).toContain('!`cat VERSION');
    expect([commands.ran.error, commands.runs()]).toEqual([undefined, 1]);
    const scripts = await loadedWith(['load', 'snippets']);
    expect(scripts.loaded).toContain('can be read here, but not run');
    expect(scripts.ran.text).toBe(
      'Error (permission-denied): Scripts of skill "counter" are not run: no person approved that. Call load_skill again to ask. They can be read.',
    );
    expect(scripts.runs()).toBe(1);
    expect((await loadedWith(['load'])).runs()).toBe(0);
  });
});
