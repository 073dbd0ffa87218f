import { createSkillset, emptySkillState, type SkillEvent, type SkillSession, type SkillState } from '@repertoire/skills-core';
import { forkAnswer, loadedSkill, reduceSkillState, type SkillToolContext, restoreSkills } from '@repertoire/skills-core/adapter';
import type { SkillRunner } from '@repertoire/skills-core/provider';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { testPinnedProperties, type PinnedConversation } from '../../skills-core/test/helpers/pinned-properties.ts';
import { servedBy } from '../../skills-core/test/helpers/served-by.ts';
import { worldNames, type World } from '../../skills-core/test/helpers/pinned-worlds.ts';

testPinnedProperties('an own loop', begin, propertyRuns(600));

/**
 * A conversation over sessions of the core: a new one for each step, a state that goes through
 * JSON.
 */
async function begin(world: World): Promise<PinnedConversation> {
  let [ran, forked] = ['', ''];
  const runner: SkillRunner = {
    label: 'scripted',
    async run({ files }) {
      ran = Object.values(files)
        .map((bytes) => new TextDecoder().decode(bytes))
        .join('\n');
      return {
        exitCode: 0,
        endedBy: 'exit',
        stdout: '',
        stderr: '',
        truncated: false,
        durationMs: 0,
        filesWritten: [],
        confinement: { kind: 'none', holds: [] },
      };
    },
  };
  const create = () =>
    createSkillset({
      ...world.options,
      provider: world.provider,
      gates: { tools: worldNames.map((name) => `pay_${name}`) },
      surface: { unload: true },
      scripts: skillScripts(runner),
    });
  let skillset = create();
  let state: SkillState = emptySkillState;
  const apply = (events: readonly SkillEvent[]): void => {
    state = events.reduce((before, event) => reduceSkillState(before, event), state);
  };
  const within = async <Answer>(
    fallback: Answer,
    work: (session: SkillSession) => Promise<Answer>,
    opened: Pick<typeof skillset, 'open'> = skillset,
  ): Promise<Answer> => {
    try {
      return await work(await opened.open());
    } catch {
      return fallback;
    }
  };
  const execute = async (session: SkillSession, tool: string, input: object, from: SkillState) => {
    const context: SkillToolContext = { state: from, canFork: true };
    const { text = '', events = [], fork } = (await session.tools.find(({ name }) => name === tool)?.execute(input, context)) ?? {};
    if (fork === undefined) return { text, events };
    forked += fork.prompt;
    return { text: await forkAnswer(fork.skill, async () => fork.prompt), events };
  };
  const nothing = { text: '', events: [] };
  const call = async (tool: string, input: object): Promise<string> => {
    forked = '';
    const { text, events } = await within(nothing, (session) => execute(session, tool, input, state));
    apply(events);
    return text;
  };
  return {
    get forked() {
      return forked;
    },
    load: (name) => call('load_skill', { name }),
    async loadAtOnce(name) {
      forked = '';
      const load = (session: SkillSession, from: SkillState) => execute(session, 'load_skill', { name }, from);
      const [own, other] = await Promise.all([
        within([], (session) => Promise.all([load(session, state), load(session, state)])),
        within(nothing, (session) => load(session, emptySkillState), create()),
      ]);
      for (const { events } of own) apply(events);
      return { own: own.map(({ text }) => text), other: [other.text] };
    },
    async unload(name) {
      await call('unload_skill', { name });
      return loadedSkill(state, name) === undefined;
    },
    read: (name, path) => call('read_skill_file', { skill: name, path }),
    async run(name) {
      ran = '';
      await call('run_skill_script', { skill: name, script: 'scripts/run.mjs' });
      return ran;
    },
    pay: (name) => within(false, async (session) => (await session.judgeCall(state, { tool: `pay_${name}` })).decision !== 'denied'),
    restore: () => within([], async (session) => await restoreSkills(session, [{ role: 'user', entries: [] }], { state })),
    async resume() {
      state = JSON.parse(JSON.stringify(state)) as SkillState;
    },
    async claim(from, to) {
      const { [from]: entry, ...loaded } = state.loaded;
      if (entry !== undefined) state = { loaded: { ...loaded, [to]: entry } };
    },
    bridge: async (name) => await servedBy(skillset, name),
    async forget() {
      skillset = create();
    },
  };
}
