import { skillSurfaceMode } from '../catalog/surface/resolve-surface-mode.ts';
import { surfaceOf } from '../catalog/surface/surface-of.ts';
import { isUserInvocable, type SkillCatalog } from '../catalog/skill-catalog.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import { skillGates, type GateInput, type SkillGates } from '../policy/gates.ts';
import type { SkillFork } from '../policy/fork.ts';
import { isSkillTool, judgeCall } from '../policy/judge-call.ts';
import { denied, type SkillCallVerdict } from '../policy/skill-call-verdict.ts';
import { allInForce } from '../policy/in-force.ts';
import type { OpenSkillsInput } from '../policy/open-skills.ts';
import type { SkillTool, SkillToolContext } from '../tools/skill-tool.ts';
import { modelOverride } from '../policy/model-override.ts';
import { isAllowed, permissionDenied } from '../policy/permissions.ts';
import { visibleTools } from '../policy/visible-tools.ts';
import { hiddenToolText, readStartedText } from '../prompt/model-texts.ts';
import { predicateOf } from '../providers/select-skills.ts';
import { resolveExactVersion } from '../providers/versions/version-resolver.ts';
import { settledState, type SkillState } from '../state/skill-state.ts';
import { skillStateInContext } from '../state/state-in-context.ts';
import { skillStateFromTranscript } from '../state/transcript.ts';
import type { SkillTranscriptEntry } from '../state/transcript-entry.ts';
import type { OpenedApprovals } from '../tools/approvals/session-approvals.ts';
import { defaultMaxResourceCharacters } from '../tools/resource-text.ts';
import { hasLastingEffect, readsFiles, skillTools } from '../tools/skill-tools.ts';
import { identityOf, type SkillReadLimits, type ToolEnvironment } from '../tools/tool-environment.ts';
import { SkillError } from '../errors/skill-error.ts';
import type { PresentListing } from './session-skills.ts';
import type { KeptSession } from './kept-catalog.ts';
import type { SkillsetPolicy } from './skillset-policy.ts';

/** How much of a skill's files may be read unless the host says otherwise. */
const defaultLimits: SkillReadLimits = { maxResourceBytes: 4 * 1024 * 1024, maxResourceCharacters: defaultMaxResourceCharacters };

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
  readonly approvals: OpenedApprovals | undefined;
  /** Names the conversation, if the host told. */
  readonly conversation: string | undefined;
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * What the methods of a session share: its tools, and what it says of a state and of a call. All of
 * it is immutable, but for the gates of the source's latest listing.
 */
export class SessionCore<Context> {
  readonly gates: SkillGates;
  readonly isHidden: (tool: string) => boolean;
  readonly environment: ToolEnvironment;
  /** All skill tools, hidden ones too. */
  readonly tools: readonly SkillTool[];
  readonly #parts: SessionParts<Context>;
  #latest: { readonly listed: GateInput['listed']; readonly gates: SkillGates };

  constructor(parts: SessionParts<Context>) {
    this.#parts = parts;
    this.gates = skillGates(parts.gateInput);
    this.#latest = { listed: parts.gateInput.listed, gates: this.gates };
    this.isHidden = hiddenTools(parts);
    this.environment = environmentOf(parts, (...call) => this.judge(...call));
    this.tools = toolsOf(parts, this.environment);
  }

  /** A state comes from a store, which may have merged what parallel calls wrote. */
  settled(state: SkillState): SkillState {
    return settledState(state, this.environment.activation);
  }

  settledCall(call: SkillToolContext): SkillToolContext {
    return { ...call, state: this.settled(call.state) };
  }

  state(transcript: readonly SkillTranscriptEntry[], saved: SkillState | undefined): SkillState {
    const {
      forked,
      policy: { names },
    } = this.#parts;
    const given = { toolNames: names, activation: this.environment.activation };
    // The transcript of a fork begins with its load.
    const start = forked && { tool: names.load, input: { name: forked.skill, arguments: forked.arguments }, output: forked.prompt };
    const entries = start === undefined ? transcript : [start, ...transcript];
    return saved === undefined ? skillStateFromTranscript(entries, given) : skillStateInContext(this.settled(saved), entries, given);
  }

  /** @param asked the call as a person is asked about it */
  async judge(state: SkillState, call: AllowedToolCall, asked: AllowedToolCall = call, canFork?: boolean): Promise<SkillCallVerdict> {
    if (this.isHidden(call.tool)) return denied(hiddenToolText(call.tool));
    const { policy, approvals } = this.#parts;
    const input = { ...this.#openInput(state), names: this.environment.names, allowedTools: policy.options.allowedTools, canFork };
    const verdict = await judgeCall(input, call);
    if (approvals === undefined || verdict.decision === 'denied') return verdict;
    const tool = this.tools.find(({ name }) => name === asked.tool);
    return (await approvals.judge(this.settled(state), asked, tool)) ?? verdict;
  }

  visibleTools(tools: readonly string[], state: SkillState): Promise<readonly string[]> {
    const shown = tools.filter((tool) => !this.isHidden(tool));
    return visibleTools(shown, { ...this.#openInput(state), isSkillTool: (tool) => isSkillTool(this.environment.names, tool) });
  }

  async active(state: SkillState): Promise<readonly SkillMetadata[]> {
    const { present, approvals } = this.#parts;
    const looks = await allInForce(present, this.settled(state));
    const found = looks.flatMap((look) =>
      look.inForce ? [approvals === undefined ? look.skill : approvals.asBringer(look.skill, look.grants)] : [],
    );
    return found;
  }

  /** A model is chosen for a request that goes on without the skills, too. */
  async model(state: SkillState): Promise<string | undefined> {
    try {
      return modelOverride(await allInForce(this.#parts.present, this.settled(state)));
    } catch (thrown) {
      if (SkillError.isInstance(thrown)) return undefined;
      throw thrown;
    }
  }

  #openInput(state: SkillState): OpenSkillsInput & { readonly gates: SkillGates } {
    const { present, gateInput } = this.#parts;
    return {
      gates: this.gates,
      gatesNow: async () => {
        const { listing, selected } = await present.now();
        if (listing.skills !== this.#latest.listed) {
          this.#latest = { listed: listing.skills, gates: skillGates({ ...gateInput, listed: listing.skills, selected }) };
        }
        return this.#latest.gates;
      },
      present,
      state: this.settled(state),
    };
  }
}

function environmentOf<Context>(
  { policy, context, catalog, present, approvals, conversation: named, report }: SessionParts<Context>,
  judge: (state: SkillState, call: AllowedToolCall, asked?: AllowedToolCall) => Promise<SkillCallVerdict>,
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
    conversation: named,
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
      if (verdict.decision === 'denied') throw verdict.error;
      if (verdict.decision === 'needs-approval') await approvals?.takeOrAsk(verdict);
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
): readonly SkillTool[] {
  const { surface: { tools: shown = 'progressive', unload } = {}, discovery, workflows, proposals } = policy.options;
  const hasEffect = () =>
    catalog.listed.some((skill) => hasLastingEffect(skill, gateInput.asksPerson) || gateInput.toolsOfSkills.has(skill.name));
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
