import { findSkill } from '../catalog/find-skill.ts';
import { listedVersions } from '../catalog/listed-versions.ts';
import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import { refreshes } from '../state/refresh.ts';
import { foldSkillEvents } from '../state/skill-state-fold.ts';
import { activateSkill } from '../tools/activation/activate-skill.ts';
import type { ActivationRequest } from '../tools/pinned/read-skill-to-load.ts';
import type { SkillToolContext } from '../tools/skill-tool.ts';
import { activeInstructions } from '../tools/activation/active-instructions.ts';
import { findUserSkill, isNoUserSkill, parseSkillCommand } from '../tools/activation/user-invocation.ts';
import { runTool } from '../tools/run-tool.ts';
import { withEnvironment } from './session-environment.ts';
import { SessionCore, type SessionParts } from './session-core.ts';
import type { SkillSession } from './skill-session.ts';

/** The session of these parts: closures over immutable data. */
export function buildSession<Context>(parts: SessionParts<Context>): SkillSession {
  const { catalog, gateInput, approvals } = parts;
  const { options, names } = parts.policy;
  const { allowedTools, conversation = {} } = options;
  const core = new SessionCore(parts);
  const { environment, gates, isHidden } = core;
  const repeats = refreshes(conversation.refresh, catalog.listed);
  const activate = (call: SkillToolContext, wanted: () => ActivationRequest) =>
    runTool(names.load, environment, call, () => activateSkill(environment, wanted(), core.settledCall(call)));

  const session: SkillSession = {
    catalog,
    diagnostics: parts.diagnostics,
    kept: parts.kept,
    approvals: approvals?.forSession((state, call) => core.judge(state, call)),
    tools: core.tools
      .filter((tool) => !isHidden(tool.name))
      .map((tool) => ({ ...tool, execute: (input, call) => tool.execute(input, core.settledCall(call)) })),

    instructions: (base = '') => [base, catalog.text].filter((part) => part !== '').join('\n\n'),
    activeInstructions: (state, { signal } = {}) => activeInstructions(environment, core.settled(state), signal),

    state: (transcript, kept) => core.state(transcript, kept),
    apply: (state, events) => foldSkillEvents(core.settled(state), events, conversation.activation),
    active: (state) => core.active(state),
    model: (state) => core.model(state),

    restricts: allowedTools?.policy === 'restrict',
    isHidden,
    preApproves: allowedTools?.policy === 'pre-approve',
    isGated: gates.isGated,
    openedBy: gates.openedBy,
    judgeCall: (state, call, { canFork } = {}) => core.judge(state, call, call, canFork),
    visibleTools: (tools, state) => core.visibleTools(tools, state),

    load: ({ name, version, arguments: skillArguments }, call) =>
      activate(call, () => {
        const skill = listedVersions(catalog.listed, name)[0] ?? findSkill(catalog, name);
        return { skill, version, arguments: skillArguments, by: 'host' };
      }),
    async invoke(text, call) {
      const command = parseSkillCommand(text);
      if (command === null || isNoUserSkill(catalog, text, command.name)) return null;
      return activate(call, () => ({ skill: findUserSkill(catalog, command.name), arguments: command.arguments, by: 'user' }));
    },
    renewsChanged: conversation.contentChange === 'renew',
    lengthOf: repeats ? environment.countTokens : (text) => Math.ceil(text.length / 4),
    refreshes: repeats,

    withToolsOfSkills: (toolsOfSkills) => buildSession({ ...parts, gateInput: { ...gateInput, toolsOfSkills } }),
    inFork: (fork) => ({
      alone: buildSession({ ...parts, forked: fork, catalog: onlyOf(catalog, fork.skill), hasLoadable: true }),
      beside: buildSession({ ...parts, forked: fork }),
    }),
  };
  return withEnvironment(session, environment);
}

/** A catalog of one skill, with nothing to say of it: its text is what the agent was asked. */
function onlyOf(catalog: SkillCatalog, name: string): SkillCatalog {
  const listed = catalog.listed.filter((skill) => skill.name === name);
  return { ...catalog, skills: listed.slice(0, 1), listed, text: '', toolText: '' };
}
