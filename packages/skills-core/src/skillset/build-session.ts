import { skillSurfaceMode } from '../catalog/surface/resolve-surface-mode.ts';
import { surfaceOf } from '../catalog/surface/surface-of.ts';
import { findSkill } from '../catalog/find-skill.ts';
import { listedVersions } from '../catalog/listed-versions.ts';
import { isUserInvocable, type SkillCatalog } from '../catalog/skill-catalog.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import { skillGates, type GateInput, type SkillGates } from '../policy/gates.ts';
import type { SkillFork } from '../policy/fork.ts';
import { isSkillTool, judgeCall } from '../policy/judge-call.ts';
import { denied, type SkillCallVerdict } from '../policy/skill-call-verdict.ts';
import { lookAtAllLoaded, type LoadedLook } from '../policy/held/look-at-loaded.ts';
import type { PresentSkills } from '../policy/held/present-skills.ts';
import { modelOverride } from '../policy/model-override.ts';
import { isAllowed, permissionDenied } from '../policy/permissions.ts';
import { visibleTools } from '../policy/visible-tools.ts';
import { hiddenToolText, readStartedText } from '../prompt/model-texts.ts';
import { predicateOf } from '../providers/select-skills.ts';
import { resolveExactVersion } from '../providers/versions/version-resolver.ts';
import { refreshes } from '../state/refresh.ts';
import { settledState, type SkillState } from '../state/skill-state.ts';
import { reduceSkillState } from '../state/skill-state-fold.ts';
import { skillStateInContext } from '../state/state-in-context.ts';
import { skillStateFromTranscript } from '../state/transcript.ts';
import type { SessionApprovals } from '../tools/approvals/session-approvals.ts';
import { activateSkill } from '../tools/activation/activate-skill.ts';
import { activeInstructions } from '../tools/activation/active-instructions.ts';
import { findUserSkill, isNoUserSkill, parseSkillCommand } from '../tools/activation/user-invocation.ts';
import { runTool } from '../tools/run-tool.ts';
import { hasLastingEffect, readsFiles, skillTools } from '../tools/skill-tools.ts';
import { identityOf, type SkillReadLimits, type ToolEnvironment } from '../tools/tool-environment.ts';
import { SkillError } from '../errors/skill-error.ts';
import type { PresentListing } from './session-skills.ts';
import type { KeptSession } from './kept-catalog.ts';
import { withEnvironment } from './session-environment.ts';
import type { SkillSession } from './skill-session.ts';
import type { SkillsetPolicy } from './skillset-policy.ts';

/** How much of a skill's files may be read unless the host says otherwise. */
const defaultLimits: SkillReadLimits = { maxResourceBytes: 4 * 1024 * 1024, maxResourceCharacters: 20_000 };

/** Everything that a session is made of. */
export interface SessionParts<Context> {
  readonly policy: SkillsetPolicy<Context>;
  readonly context: Context;
  readonly catalog: SkillCatalog;
  readonly gateInput: GateInput;
  /** What the source has at the moment of a judgement. */
  readonly present: PresentListing;
  readonly diagnostics: readonly SkillDiagnostic[];
  readonly kept: KeptSession;
  /** Whether there is anything that a model could load. */
  readonly hasLoadable: boolean;
  /** The skill whose agent the session is for. */
  readonly forked: SkillFork | undefined;
  readonly approvals: SessionApprovals | undefined;
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/** The session of these parts: closures over immutable data. */
export function buildSession<Context>(parts: SessionParts<Context>): SkillSession {
  const { policy, catalog, gateInput, forked, approvals } = parts;
  const { options, names } = policy;
  const { allowedTools, conversation = {} } = options;
  const gates = skillGates(gateInput);
  const { present } = parts;
  let latest = { listed: gateInput.listed, gates };
  const gatesNow = async (): Promise<SkillGates> => {
    const { listing, selected } = await present.now();
    if (listing.skills !== latest.listed) {
      latest = { listed: listing.skills, gates: skillGates({ ...gateInput, listed: listing.skills, selected }) };
    }
    return latest.gates;
  };
  /** A state comes from a store, which may have merged what parallel calls wrote. */
  const settled = (state: SkillState) => settledState(state, conversation.activation);
  const isHidden = hiddenTools(parts);
  const judge = async (
    state: SkillState,
    call: AllowedToolCall,
    asked: AllowedToolCall | null = call,
    canFork?: boolean,
  ): Promise<SkillCallVerdict> => {
    if (isHidden(call.tool)) return denied(hiddenToolText(call.tool));
    const verdict = await judgeCall(
      {
        gates,
        gatesNow,
        present,
        state: settled(state),
        names,
        allowedTools,
        canFork,
        mayLoad: (skill) => environment.mayDo('load', skill),
      },
      call,
    );
    if (approvals === undefined || verdict.decision === 'denied' || asked === null) return verdict;
    const tool = ownTools.find(({ name }) => name === asked.tool);
    return (await approvals.judge(settled(state), asked, tool)) ?? verdict;
  };
  const environment = environmentOf(parts, judge);
  const ownTools = toolsOf(parts, environment);
  const repeats = refreshes(conversation.refresh, catalog.listed);
  const start =
    forked === undefined ? [] : [{ tool: names.load, input: { name: forked.skill, arguments: forked.arguments }, output: forked.prompt }];

  const session: SkillSession = {
    catalog,
    diagnostics: parts.diagnostics,
    kept: parts.kept,
    approvals,
    tools: ownTools
      .filter((tool) => !isHidden(tool.name))
      .map((tool) => ({
        ...tool,
        execute: (input, call) => tool.execute(input, { ...call, state: settled(call.state) }),
      })),

    instructions: (base = '') => [base, catalog.text].filter((part) => part !== '').join('\n\n'),
    activeInstructions: (state, { signal } = {}) => activeInstructions(environment, settled(state), signal),

    state(transcript, kept) {
      const given = { toolNames: names, activation: conversation.activation };
      const entries = [...start, ...transcript];
      return kept === undefined ? skillStateFromTranscript(entries, given) : skillStateInContext(settled(kept), entries, given);
    },
    apply: (state, events) => events.reduce((before, event) => reduceSkillState(before, event, conversation.activation), settled(state)),
    async active(state) {
      const looks = await lookAtAllLoaded(present, settled(state));
      const found = looks.flatMap((look) => (look.status === 'held' ? [approvals?.asBringer(look.skill, look.grants) ?? look.skill] : []));
      const allowed = await Promise.all(found.map((skill) => environment.mayDo('load', skill)));
      return found.filter((_, index) => allowed[index]);
    },
    model: async (state) => modelOverride(await looksOrNone(present, settled(state))),

    restricts: allowedTools?.policy === 'restrict',
    isHidden,
    preApproves: allowedTools?.policy === 'pre-approve',
    isGated: gates.isGated,
    openedBy: gates.openedBy,
    judgeCall: (state, call, { canFork } = {}) => judge(state, call, call, canFork),
    visibleTools: (tools, state) =>
      visibleTools(
        tools.filter((tool) => !isHidden(tool)),
        {
          gates,
          gatesNow,
          present,
          state: settled(state),
          isSkillTool: (tool) => isSkillTool(names, tool),
          mayLoad: (skill) => environment.mayDo('load', skill),
        },
      ),

    load: ({ name, version, arguments: skillArguments }, toolContext) =>
      runTool(names.load, environment, toolContext, () => {
        const skill = listedVersions(catalog.listed, name)[0] ?? findSkill(catalog, name);
        return activateSkill(
          environment,
          { skill, version, arguments: skillArguments, by: 'host' },
          { ...toolContext, state: settled(toolContext.state) },
        );
      }),
    async invoke(text, toolContext) {
      const command = parseSkillCommand(text);
      if (command === null || isNoUserSkill(catalog, text, command.name)) return null;
      return runTool(names.load, environment, toolContext, () =>
        activateSkill(
          environment,
          { skill: findUserSkill(catalog, command.name), arguments: command.arguments, by: 'user' },
          { ...toolContext, state: settled(toolContext.state) },
        ),
      );
    },
    renewsChanged: conversation.contentChange === 'renew',
    lengthOf: repeats ? environment.countTokens : (text) => Math.ceil(text.length / 4),
    refreshes: repeats,

    withBroughtTools: (brought) => buildSession({ ...parts, gateInput: { ...gateInput, brought } }),
    inFork: (fork) => ({
      alone: buildSession({ ...parts, forked: fork, catalog: onlyOf(catalog, fork.skill), hasLoadable: true }),
      beside: buildSession({ ...parts, forked: fork }),
    }),
  };
  return withEnvironment(session, environment);
}

/** A model is chosen for a request that goes on without the skills, too. */
async function looksOrNone(present: PresentSkills, state: SkillState): Promise<readonly LoadedLook[]> {
  try {
    return await lookAtAllLoaded(present, state);
  } catch (thrown) {
    if (SkillError.isInstance(thrown)) return [];
    throw thrown;
  }
}

function environmentOf<Context>(
  { policy, context, catalog, present, approvals, report }: SessionParts<Context>,
  judge: (state: SkillState, call: AllowedToolCall, asked?: AllowedToolCall | null) => Promise<SkillCallVerdict>,
): ToolEnvironment {
  const { options, provider, names, modes, countTokens, emit } = policy;
  const { audience: { select, permissions } = {}, surface = {}, conversation = {} } = options;
  const isSelected =
    select === undefined ? () => true : predicateOf((skill) => select(skill, context), '`audience.select` of the skillset');
  const host = { emit, report };
  const ask = (action: 'load' | 'read', skill: SkillMetadata, path?: string) => isAllowed(permissions, { action, skill, path, context });
  const environment: ToolEnvironment = {
    provider,
    catalog,
    present,
    contents: policy.contents,
    toldChanges: new Set(),
    names,
    limits: { ...defaultLimits, ...options.limits },
    fileReader: surface.tools === 'full' ? names.loadResource : names.readFile,
    scripts: options.scripts,
    hooks: options.hooks?.open(context, host),
    approvals,
    refresh: conversation.refresh,
    activation: conversation.activation ?? 'cumulative',
    asksHost: select !== undefined || permissions !== undefined,
    isSelected: (skill) => isSelected(skill, report),
    resolveVersion: options.resolveVersion ?? resolveExactVersion,
    surfaceOf: (skill) => surfaceOf(skillSurfaceMode(skill, modes), { instructions: surface.instructions, trusted: isTrusted(skill) }),
    describeWorkflow: (skill) => options.workflows?.describe(environment, skill) ?? '',
    countTokens,
    emit,
    hasListener: options.onEvent !== undefined,
    report,
    mayDo: async (action, skill, path) => (await ask(action, skill, path)).allowed,
    async assertAllowed(action, skill, path) {
      const { allowed, reason } = await ask(action, skill, path);
      if (allowed) return;
      emit({ type: 'skill_denied', action, reason, ...identityOf(skill) });
      throw permissionDenied({ action, skill, path }, reason);
    },
    async assertCallAllowed(state, call, asked) {
      const verdict = await judge(state, call, asked);
      if (verdict.decision === 'denied' || verdict.decision === 'needs-approval') throw verdict.error;
    },
  };
  return environment;
}

/**
 * What the host leaves out for this context. A hook that throws, or answers later, does not let a
 * tool through.
 */
function hiddenTools<Context>({ policy: { options }, context }: SessionParts<Context>): (tool: string) => boolean {
  const select = options.audience?.tools;
  return (tool) => {
    try {
      return select !== undefined && select(tool, context) !== true;
    } catch {
      return true;
    }
  };
}

function toolsOf<Context>(
  { policy, catalog, hasLoadable, gateInput, present, context }: SessionParts<Context>,
  environment: ToolEnvironment,
): SkillSession['tools'] {
  const { surface: { tools: shown = 'progressive', unload } = {}, discovery, workflows, proposals } = policy.options;
  const hasEffect = () =>
    catalog.listed.some((skill) => hasLastingEffect(skill, gateInput.asksPerson) || gateInput.brought.has(skill.name));
  // A skill of a source that is down may be loaded, and ending it needs no source.
  const mayEnd = unload ?? (!present.isComplete || hasEffect());
  const tools = skillTools(environment, shown, {
    unload: mayEnd,
    discovery,
    workflows,
    proposals: proposals && ((own: ToolEnvironment) => proposals.tool(own, context)),
  });
  if (hasLoadable) return tools;
  // Skills that only a person can start: the model has nothing to load, but files to read once one
  // is started. An empty library may get its first skill.
  const hasFiles = catalog.listed.some(isUserInvocable);
  return tools
    .filter(({ role }) => role === 'propose' || (hasFiles && readsFiles(role)) || (!present.isComplete && role === 'unload'))
    .map((tool) => (tool.role === 'readFile' ? { ...tool, description: readStartedText } : tool));
}

/** A catalog of one skill, with nothing to say of it: its text is what the agent was asked. */
function onlyOf(catalog: SkillCatalog, name: string): SkillCatalog {
  const listed = catalog.listed.filter((skill) => skill.name === name);
  return { ...catalog, skills: listed.slice(0, 1), listed, text: '', toolText: '' };
}
