import { asClaims } from '../../skills-core/test/helpers/loaded-state.ts';
import { SkillRegistry } from '@repertoire/skills-core';
import { restoreSkills } from '@repertoire/skills-core/adapter';
import { describe, expect, it } from 'vitest';
import { call, counter, sessionOf } from './support/session-of.ts';

describe('skillScripts', () => {
  it('SRC-10: lists the scripts of a loaded skill and runs one, with arguments as data and files of the host', async () => {
    const { skillset, heard } = sessionOf({ inputs: () => ({ 'notes.txt': new TextEncoder().encode('of the host\n') }) });
    const session = await skillset.open();
    expect(session.tools.map(({ name }) => name)).toEqual(['load_skill', 'read_skill_file', 'run_skill_script']);
    const loaded = await call(session, 'load_skill', { name: 'counter' });
    expect(loaded.text).toContain('scripts/count.sh: Counts the lines of its standard input.');
    const ran = await call(
      session,
      'run_skill_script',
      { skill: 'counter', script: 'count.sh', arguments: ['$(id)', '; ls'], stdin: 'a\nb\n' },
      loaded.state,
    );
    expect(ran.text).toMatch(
      /^<skill_script skill="counter" script="scripts\/count.sh" exit="0">\nstdout:\n\s*2\n\$\(id\) ; ls\nof the host/,
    );
    expect(heard.events.at(-1)).toMatchObject({ type: 'script_run', skill: 'counter', path: 'scripts/count.sh', exitCode: 0 });
  });

  it('SRC-10: tells who watches when a script starts and how it ended, and a display that breaks does no harm', async () => {
    const session = await sessionOf().skillset.open();
    const { state } = await call(session, 'load_skill', { name: 'counter' });
    const run = session.tools.find(({ name }) => name === 'run_skill_script');
    const lines: string[] = [];
    const onProgress = (line: string): never => {
      lines.push(line);
      throw new Error('A display that breaks.');
    };
    const result = await run?.execute({ skill: 'counter', script: 'scripts/fail.sh' }, { state, onProgress });
    expect(lines).toEqual(['counter scripts/fail.sh: started', 'counter scripts/fail.sh: ended with exit code 3']);
    expect(result?.text).toContain('exit="3"');
  });

  it('SRC-10: a script that fails is an answer that the model can act on', async () => {
    const session = await sessionOf().skillset.open();
    const { state } = await call(session, 'load_skill', { name: 'counter' });
    const { text, error } = await call(session, 'run_skill_script', { skill: 'counter', script: 'scripts/fail.sh' }, state);
    expect(text).toContain('exit="3"');
    expect(text).toContain('broken');
    expect(error).toBeUndefined();
  });

  it('SRC-10: runs nothing of a skill that is not loaded, and nothing that is no script', async () => {
    const { skillset, runs } = sessionOf();
    const session = await skillset.open();
    const early = await call(session, 'run_skill_script', { skill: 'counter', script: 'scripts/count.sh' });
    expect(early.error?.code).toBe('not-loaded');
    const { state } = await call(session, 'load_skill', { name: 'counter' });
    const missing = await call(session, 'run_skill_script', { skill: 'counter', script: 'scripts/cuont.sh' }, state);
    expect(missing.text).toContain('Did you mean "scripts/count.sh"');
    const other = await call(session, 'run_skill_script', { skill: 'counter', script: 'VERSION' }, state);
    expect(other.error?.code).toBe('resource-not-found');
    expect(other.text).toContain('Its scripts: scripts/count.sh, scripts/fail.sh.');
    expect(runs()).toBe(0);
  });

  it('SRC-10: a script of a skill that has none is answered so', async () => {
    const plain = { name: 'plain', description: 'Has a text alone. Use it in tests.', body: 'Text.' };
    const session = await sessionOf({}, { provider: new SkillRegistry({ skills: [counter, plain] }) }).skillset.open();
    const { state } = await call(session, 'load_skill', { name: 'plain' });
    const { text, error } = await call(session, 'run_skill_script', { skill: 'plain', script: 'count.sh' }, state);
    expect([error?.code, text]).toEqual(['resource-not-found', expect.stringContaining('has no script "count.sh". It has no scripts.')]);
  });

  it('SRC-10: a skill of an untrusted source gets no tool and runs nothing', async () => {
    const { skillset, runs, heard } = sessionOf({ snippets: true }, { provider: new SkillRegistry({ skills: [counter], trusted: false }) });
    const session = await skillset.open();
    expect(session.tools.map(({ name }) => name)).toEqual(['load_skill', 'read_skill_file']);
    const { text } = await call(session, 'load_skill', { name: 'counter' });
    expect(text).toContain('!`cat VERSION');
    expect(text).toContain('can be read here, but not run');
    expect(runs()).toBe(0);
    expect(heard.events.map(({ type }) => type)).not.toContain('script_run');
  });

  it('SRC-10: gates and permissions are asked about a script', async () => {
    const gated = await sessionOf({}, { gates: { tools: ['run_skill_script'] } }).skillset.open();
    const { state } = await call(gated, 'load_skill', { name: 'counter' });
    expect((await call(gated, 'run_skill_script', { skill: 'counter', script: 'scripts/count.sh' }, state)).error?.code).toBe('not-loaded');
    const denied = await sessionOf({}, { audience: { permissions: ({ action }) => action !== 'read' } }).skillset.open();
    const loaded = await call(denied, 'load_skill', { name: 'counter' });
    expect((await call(denied, 'run_skill_script', { skill: 'counter', script: 'scripts/count.sh' }, loaded.state)).error?.code).toBe(
      'permission-denied',
    );
  });

  it('SRC-3: commands of a body run at the first load, before arguments, and not again', async () => {
    const { skillset, runs } = sessionOf({ snippets: true });
    const session = await skillset.open();
    const first = await call(session, 'load_skill', { name: 'counter', arguments: '!`id` a.txt' });
    expect(first.text).toContain('Version 1.2.3. Count !`id` a.txt.');
    expect(runs()).toBe(1);
    const second = await call(session, 'load_skill', { name: 'counter', arguments: '!`id` a.txt' }, first.state);
    expect(second.text).toContain('already active');
    expect(runs()).toBe(1);
    const fromTranscript = session.state([
      { tool: 'load_skill', input: { name: 'counter', arguments: '!`id` a.txt' }, output: first.text },
    ]);
    expect(fromTranscript).toEqual(asClaims(first.state));
  });

  it('SRC-3: a text that is restored runs nothing, and says so', async () => {
    const { skillset, runs } = sessionOf({ snippets: true });
    const session = await skillset.open();
    const { state } = await call(session, 'load_skill', { name: 'counter' });
    const cut = session.apply(state, [{ type: 'compacted' }]);
    const [back] = await restoreSkills(session, [], { state: cut });
    expect(back?.text).toContain('is not kept; load the skill again to get it]. Count');
    expect(runs()).toBe(1);
    expect((await call(session, 'load_skill', { name: 'counter' }, cut)).text).toContain('Version 1.2.3');
    expect(runs()).toBe(2);
  });

  it('SRC-3: commands stay text unless the host turns them on', async () => {
    const { skillset, runs } = sessionOf();
    const { text } = await call(await skillset.open(), 'load_skill', { name: 'counter' });
    expect(text).toContain('!`cat VERSION');
    expect(runs()).toBe(0);
  });

  it('SRC-10: a host may say in its own words how scripts run', async () => {
    const session = await sessionOf({}, { scripts: 'Run scripts with the tool shell.' }).skillset.open();
    expect(session.tools.map(({ name }) => name)).toEqual(['load_skill', 'read_skill_file']);
    expect((await call(session, 'load_skill', { name: 'counter' })).text).toContain('Run scripts with the tool shell.');
  });
});
