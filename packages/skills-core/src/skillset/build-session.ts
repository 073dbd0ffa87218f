import { findSkill } from '../catalog/find-skill.ts';
import { listedVersions } from '../catalog/listed-versions.ts';
import { isUserInvocable, type SkillCatalog } from '../catalog/skill-catalog.ts';
import { skillSurfaceMode, type SurfaceModeContext } from '../catalog/surface/resolve-surface-mode.ts';
import { surfaceOf } from '../catalog/surface/surface-of.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import type { SkillActivity } from '../events/skill-activity.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import type { SkillFork } from '../policy/fork.ts';
import { skillGates, type GateInput } from '../policy/gates.ts';
import { allInForce } from '../policy/in-force.ts';
import { isSkillTool, judgeCall } from '../policy/judge-call.ts';
import { modelOverride } from '../policy/model-override.ts';
import { permissionDenied } from '../policy/permissions.ts';
import { denied, type SkillCallVerdict } from '../policy/skill-call-verdict.ts';
import { visibleTools } from '../policy/visible-tools.ts';
import { hiddenToolText, readStartedText } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { resolveExactVersion } from '../providers/versions/version-resolver.ts';
import { refreshes } from '../state/refresh.ts';
import { foldSkillEvents } from '../state/skill-state-fold.ts';
import { settledState, type SkillState } from '../state/skill-state.ts';
import { skillStateInContext } from '../state/state-in-context.ts';
import { skillStateFromTranscript } from '../state/transcript.ts';
import { activateSkill } from '../tools/activation/activate-skill.ts';
import { activeInstructions } from '../tools/activation/active-instructions.ts';
import { findUserSkill, isNoUserSkill, parseSkillCommand } from '../tools/activation/user-invocation.ts';
import type { OpenedApprovals } from '../tools/approvals/session-approvals.ts';
import type { ActivationRequest } from '../tools/pinned/read-skill-to-load.ts';
import type { RememberedContents } from '../tools/pinned/remembered-contents.ts';
import { defaultMaxResourceCharacters } from '../tools/resource-text.ts';
import { runTool } from '../tools/run-tool.ts';
import type { SkillTool, SkillToolContext } from '../tools/skill-tool.ts';
import { hasLastingEffect, readsFiles, skillTools } from '../tools/skill-tools.ts';
import { identityOf, type ToolEnvironment } from '../tools/tool-environment.ts';
import type { Audience } from './audience.ts';
import type { KeptSession } from './session-catalog.ts';
import { withEnvironment } from './session-environment.ts';
import type { PresentListing } from './session-skills.ts';
import type { SkillSession } from './skill-session.ts';
import type { SkillsetOptions } from './skillset-options.ts';

/** How much of a skill's files may be read unless the host says otherwise. */
const defaultLimits = { maxResourceBytes: 4 * 1024 * 1024, maxResourceCharacters: defaultMaxResourceCharacters };

/** What a session is made of. */
export interface SessionParts<Context> {
  readonly options: SkillsetOptions<Context>;
  readonly provider: SkillProvider;
  readonly names: SkillToolNames;
  readonly modes: SurfaceModeContext;
  readonly countTokens: (text: string) => number;
  /** What conversations loaded. */
  readonly contents: RememberedContents;
  readonly context: Context;
  readonly audience: Audience<Context>;
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
  readonly approvals: OpenedApprovals | undefined;
  /** Names the conversation, if the host told. */
  readonly conversation: string | undefined;
  readonly emit: (activity: SkillActivity) => void;
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * The session of these parts: closures over immutable data, but for the gates of the source's
 * latest listing.
 */
export function buildSession<Context>(parts: SessionParts<Context>): SkillSession {
  const { options, provider, names, audience, catalog, gateInput, present, forked, approvals, emit, report } = parts;
  const { allowedTools, surface = {}, conversation = {} } = options;
  const activation = conversation.activation ?? 'cumulative';
  const gates = skillGates(gateInput);
  let latest = { listed: gateInput.listed, gates };
  const isHidden = (tool: string) => audience.isHidden(tool);
  // A state comes from a store, which may have merged what parallel calls wrote.
  const settled = (state: SkillState) => settledState(state, activation);
  const settledCall = (call: SkillToolContext) => ({ ...call, state: settled(call.state) });

  const environment: ToolEnvironment = {
    provider,
    catalog,
    present,
    contents: parts.contents,
    toldChanges: new Set(),
    names,
    limits: { ...defaultLimits, ...options.limits },
    fileReader: surface.tools === 'full' ? names.loadResource : names.readFile,
    scripts: options.scripts,
    hooks: options.hooks?.open(parts.context, { emit, report }),
    approvals,
    conversation: parts.conversation,
    refresh: conversation.refresh,
    activation,
    asksHost: audience.asksHost,
    isSelected: (skill) => audience.isSelected(skill, report),
    resolveVersion: options.resolveVersion ?? resolveExactVersion,
    surfaceOf: (skill) =>
      surfaceOf(skillSurfaceMode(skill, parts.modes), { instructions: surface.instructions, trusted: isTrusted(skill) }),
    describeWorkflow: (skill) => options.workflows?.describe(environment, skill) ?? '',
    countTokens: parts.countTokens,
    emit,
    hasListener: options.onEvent !== undefined,
    report,
    mayDo: async (action, skill, path) => (await audience.ask(action, skill, path)).allowed,
    async assertAllowed(action, skill, path) {
      const { allowed, reason } = await audience.ask(action, skill, path);
      if (allowed) return;
      emit({ type: 'skill_denied', action, reason, ...identityOf(skill) });
      throw permissionDenied({ action, skill, path }, reason);
    },
    async assertCallAllowed(state, call, asked) {
      const verdict = await judge(state, call, asked);
      if (verdict.decision === 'denied') throw verdict.error;
      if (verdict.decision === 'needs-approval') await approvals?.takeOrAsk(verdict);
    },
  };
  const tools = toolsOf(parts, environment);

  const judgedBy = (state: SkillState) => ({
    gates,
    async gatesNow() {
      const { listing, selected } = await present.now();
      if (listing.skills !== latest.listed) {
        latest = { listed: listing.skills, gates: skillGates({ ...gateInput, listed: listing.skills, selected }) };
      }
      return latest.gates;
    },
    present,
    state: settled(state),
  });

  /** @param asked the call as a person is asked about it */
  async function judge(state: SkillState, call: AllowedToolCall, asked = call, canFork?: boolean): Promise<SkillCallVerdict> {
    if (isHidden(call.tool)) return denied(hiddenToolText(call.tool));
    const verdict = await judgeCall({ ...judgedBy(state), names, allowedTools, canFork }, call);
    if (approvals === undefined || verdict.decision === 'denied') return verdict;
    const tool = tools.find(({ name }) => name === asked.tool);
    return (await approvals.judge(settled(state), asked, tool)) ?? verdict;
  }

  const activate = (call: SkillToolContext, wanted: () => ActivationRequest) =>
    runTool(names.load, environment, call, () => activateSkill(environment, wanted(), settledCall(call)));
  const repeats = refreshes(conversation.refresh, catalog.listed);

  const session: SkillSession = {
    catalog,
    diagnostics: parts.diagnostics,
    kept: parts.kept,
    approvals: approvals?.forSession((state, call) => judge(state, call)),
    tools: tools
      .filter((tool) => !isHidden(tool.name))
      .map((tool) => ({ ...tool, execute: (input, call) => tool.execute(input, settledCall(call)) })),

    instructions: (base = '') => [base, catalog.text].filter((part) => part !== '').join('\n\n'),
    activeInstructions: (state, { signal } = {}) => activeInstructions(environment, settled(state), signal),

    state(transcript, saved) {
      const given = { toolNames: names, activation };
      // The transcript of a fork begins with its load.
      const start = forked && { tool: names.load, input: { name: forked.skill, arguments: forked.arguments }, output: forked.prompt };
      const entries = start === undefined ? transcript : [start, ...transcript];
      return saved === undefined ? skillStateFromTranscript(entries, given) : skillStateInContext(settled(saved), entries, given);
    },
    apply: (state, events) => foldSkillEvents(settled(state), events, conversation.activation),
    async active(state) {
      const looks = await allInForce(present, settled(state));
      return looks.flatMap((look) =>
        look.inForce ? [approvals === undefined ? look.skill : approvals.asBringer(look.skill, look.grants)] : [],
      );
    },
    async model(state) {
      try {
        return modelOverride(await allInForce(present, settled(state)));
      } catch (thrown) {
        // A model is chosen for a request that goes on without the skills, too.
        if (SkillError.isInstance(thrown)) return undefined;
        throw thrown;
      }
    },

    restricts: allowedTools?.policy === 'restrict',
    isHidden,
    preApproves: allowedTools?.policy === 'pre-approve',
    isGated: gates.isGated,
    openedBy: gates.openedBy,
    judgeCall: (state, call, { canFork } = {}) => judge(state, call, call, canFork),
    visibleTools(asked, state) {
      const shown = asked.filter((tool) => !isHidden(tool));
      return visibleTools(shown, { ...judgedBy(state), isSkillTool: (tool) => isSkillTool(names, tool) });
    },

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

function toolsOf<Context>(parts: SessionParts<Context>, environment: ToolEnvironment): readonly SkillTool[] {
  const { options, context, catalog, gateInput, present } = parts;
  const { tools: surface = 'progressive', unload } = options.surface ?? {};
  const hasEffect = () =>
    catalog.listed.some((skill) => hasLastingEffect(skill, gateInput.asksPerson) || gateInput.toolsOfSkills.has(skill.name));
  // A skill of a source that is down may be loaded, and ending it needs no source.
  const tools = skillTools(environment, options, {
    surface,
    unload: unload ?? (!present.isComplete || hasEffect()),
    context,
  });
  if (parts.hasLoadable) return tools;
  // Skills that only a person can start: the model has nothing to load, but files to read once one
  // is started. An empty library may get its first skill.
  const hasFiles = catalog.listed.some(isUserInvocable);
  return tools
    .filter(({ role }) => role === 'propose' || (hasFiles && readsFiles(role)) || (!present.isComplete && role === 'unload'))
    .map((tool) => (tool.role === 'readFile' ? { ...tool, description: readStartedText } : tool));
}
