import { findSkill, listedVersions } from '../catalog/find-skill.ts';
import { isModelInvocable, newestOfEach, type SkillCatalog } from '../catalog/skill-catalog.ts';
import { skillSurfaceMode, surfaceOf, type SurfaceModeContext } from '../catalog/surface.ts';
import { deepFreeze } from '../contract/deep-freeze.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import type { SkillDiagnostic, SkillListing, SkillMetadata, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import type { SkillActivity } from '../events/skill-activity.ts';
import { SessionEvents } from '../events/session-events.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import { audienceOf } from '../policy/audience.ts';
import type { SkillFork } from '../policy/fork.ts';
import { gateDiagnostics } from '../policy/gate-diagnostics.ts';
import { skillGates, type GateInput } from '../policy/gates.ts';
import { allInForce } from '../policy/in-force.ts';
import { applyMissingTools } from '../policy/missing-tools.ts';
import { modelOverride } from '../policy/model-override.ts';
import { denied, type SkillCallVerdict } from '../policy/skill-call-verdict.ts';
import { hiddenToolText } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { readListing } from '../providers/read-listing.ts';
import { resolveExactVersion } from '../providers/versions/version-resolver.ts';
import { refreshes } from '../state/refresh.ts';
import { foldSkillEvents } from '../state/skill-state-fold.ts';
import { settledState, type SkillState } from '../state/skill-state.ts';
import { skillStateInContext } from '../state/state-in-context.ts';
import { skillStateFromTranscript } from '../state/transcript.ts';
import { skillInstructions } from '../tools/activation/skill-instructions.ts';
import { findUserSkill, isNoUserSkill, parseSkillCommand } from '../tools/activation/user-invocation.ts';
import { presentListing, type PresentListing } from '../tools/pinned/present-listing.ts';
import { rememberedContents } from '../tools/pinned/remembered-contents.ts';
import { skillDoors, type ActivationRequest } from '../tools/pinned/skill-doors.ts';
import { defaultMaxResourceCharacters } from '../tools/resource-text.ts';
import { runTool } from '../tools/run-tool.ts';
import type { SkillToolContext } from '../tools/skill-tool.ts';
import { hasLastingEffect, skillTools } from '../tools/skill-tools.ts';
import type { SkillToolHost } from '../tools/tool-host.ts';
import type { OpenRequest } from './open-request.ts';
import { reporter } from './reporter.ts';
import { SkillsetCatalogs } from './session-catalog.ts';
import type { SkillSession } from './skill-session.ts';
import type { SkillsetOptions } from './skillset-options.ts';

const openRules: OptionRules<OpenRequest> = {
  context: true,
  conversation: 'string',
  availableTools: 'iterable',
  kept: true,
  onDiagnostic: '()',
  signal: '{}',
};

/** How long gates and grants outlive the last answer of a source: an hour. */
const defaultMaxListingAgeMs = 3_600_000;
/** How much of a skill's files may be read unless the host says otherwise. */
const defaultLimits = { maxResourceBytes: 4 * 1024 * 1024, maxResourceCharacters: defaultMaxResourceCharacters };

/** What a skillset is made of. */
interface SkillsetParts<Context> {
  readonly options: SkillsetOptions<Context>;
  readonly provider: SkillProvider;
  readonly names: SkillToolNames;
  /** Tells the host; see `report` of a skillset. */
  readonly report: (diagnostic: SkillDiagnostic, isHeard?: boolean) => void;
  readonly countTokens: (text: string) => number;
}

/** What differs between a session, the same with tools of skills, and that of a fork. */
interface SessionView {
  readonly catalog: SkillCatalog;
  readonly gateInput: GateInput;
  /** Whether there is anything that a model could load. */
  readonly hasLoadable: boolean;
  /** The skill whose agent the session is for. */
  readonly forked?: SkillFork;
}

/**
 * Returns what opens the sessions of a skillset. It keeps caches of what is the same for all of
 * them, and nothing of a conversation.
 */
export function sessionOpener<Context>({ options, provider, names, report: tellHost, countTokens }: SkillsetParts<Context>) {
  const { allowedTools, discovery, gates: gateOptions = {}, surface = {}, conversation: rules = {} } = options;
  const activation = rules.activation ?? 'cumulative';
  const modes: SurfaceModeContext = { mode: surface.mode ?? 'system-prompt', ...surface.model };
  const finders = [...(discovery === undefined ? [] : [names.search]), ...(surface.tools === 'full' ? [names.list] : [])];
  const skillsetEvents = new SessionEvents(options.onEvent, tellHost, countTokens);
  const emit = (activity: SkillActivity) => skillsetEvents.emit(activity);
  const catalogs = new SkillsetCatalogs(
    { names, options: options.catalog ?? {}, surface: modes, finders, countTokens, fitter: discovery },
    rules.catalogStore,
    (skills, { tokens, cut }) => emit({ type: 'catalog_built', skills: skills.length, tokens, ...cut }),
  );
  const contents = rememberedContents(rules.contentStore, (thrown) => tellHost(contentStoreFailed(thrown)));
  /** Listings whose diagnostics were told already. */
  const told = new WeakSet<SkillListing>();
  // A state comes from a store, which may have merged what parallel calls wrote.
  const settled = (state: SkillState) => settledState(state, activation);
  const settledCall = (call: SkillToolContext) => ({ ...call, state: settled(call.state) });

  /**
   * Reports what was found: to the skillset's listener what is new to it, to that of the request
   * all of it. Returns what reports to both later.
   */
  function reportFound(
    listing: SkillListing,
    found: readonly SkillDiagnostic[],
    onDiagnostic: OpenRequest['onDiagnostic'],
  ): (diagnostic: SkillDiagnostic) => void {
    const isHeard = onDiagnostic !== undefined;
    const isKnown = told.has(listing);
    if (Object.isFrozen(listing)) told.add(listing);
    for (const diagnostic of isKnown ? found.slice(listing.diagnostics.length) : found) tellHost(diagnostic, isHeard);
    const own = reporter(onDiagnostic);
    if (isHeard) for (const diagnostic of found) own(diagnostic);
    return (diagnostic) => {
      tellHost(diagnostic, isHeard);
      own(diagnostic);
    };
  }

  /** Reads what a session shows: the listing, as selected and permitted, and its texts. */
  return async function open(request: OpenRequest<Context>): Promise<SkillSession> {
    assertKnownOptions('open', request, openRules);
    const { conversation, availableTools, kept, onDiagnostic, signal } = request;
    const audience = audienceOf(options.audience, request, emit);
    const listing = await readListing(provider, { signal });
    const handed = availableTools === undefined ? undefined : [...availableTools];
    const failures: SkillDiagnostic[] = [];
    const listed = await audience.of(listing.skills, (failure) => failures.push(failure));
    const newest = newestOfEach(listed).filter(isModelInvocable);
    const visible = applyMissingTools(await audience.mayList(newest), gateOptions.missing, handed);
    audience.assertContext();
    signal?.throwIfAborted();
    const { catalog: texts, diagnostics: ofTexts } = await catalogs.of(visible, kept, audience.maySee);
    const { text, toolText, tokens, cut } = texts;
    const whole: SkillCatalog = deepFreeze({ skills: visible, listed, text, toolText, tokens, cut });
    const gateInput: GateInput = {
      declared: gateOptions.tools ?? [],
      hostTools: provider.gatedTools?.() ?? [],
      toolsOfSkills: new Map(),
      listed: listing.skills,
      selected: listed,
      asksPerson: options.approvals !== undefined,
      openOnPurpose: gateOptions.tools?.length === 0,
    };
    const diagnostics = [
      ...listing.diagnostics,
      ...failures,
      ...ofTexts,
      ...gateDiagnostics(gateInput, handed),
      ...emptyCatalog(listing, visible),
      ...(options.workflows === undefined ? stepsNotRun(listed) : []),
    ];
    const report = reportFound(listing, diagnostics, onDiagnostic);
    const events = new SessionEvents(options.onEvent, report, countTokens);
    // `Context` is `undefined` unless the host passes one, so this cast is safe.
    const context = request.context as Context;
    const approvals = options.approvals?.open(context, { names, contents, conversation, events, present: () => present });
    const present: PresentListing = presentListing({
      provider,
      audience,
      grantsOf: approvals && ((...of) => approvals.grantsOf(...of)),
      opened: { listing, selected: listed },
      maxUnconfirmedMs: gateOptions.maxListingAgeMs ?? defaultMaxListingAgeMs,
      changed: () => report(listingChanged),
    });
    const hooks = options.hooks?.open(context, events);

    /** Builds a session: closures over immutable data, but for the gates of the latest listing. */
    function build(view: SessionView): SkillSession {
      const { catalog, forked } = view;
      const gates = skillGates(view.gateInput, { present, names, allowedTools });
      const repeats = refreshes(rules.refresh, catalog.listed);

      const doors = skillDoors({
        provider,
        catalog,
        present,
        audience,
        approvals,
        contents,
        events,
        names,
        resolveVersion: options.resolveVersion ?? resolveExactVersion,
      });
      const host: SkillToolHost = {
        names,
        catalog,
        limits: { ...defaultLimits, ...options.limits },
        doors,
        audience,
        events,
        asksPerson: approvals !== undefined,
        provider,
        present,
        conversation,
        activation,
        async assertCallAllowed(state, call, asked) {
          const verdict = await judge(state, call, asked);
          if (verdict.decision === 'denied') throw verdict.error;
          if (verdict.decision === 'needs-approval') await approvals?.takeOrAsk(verdict);
        },
      };
      const instructions = skillInstructions({
        host,
        surfaceOf: (skill) => surfaceOf(skillSurfaceMode(skill, modes), { instructions: surface.instructions, trusted: isTrusted(skill) }),
        fileReader: surface.tools === 'full' ? names.loadResource : names.readFile,
        scripts: options.scripts,
        workflows: options.workflows,
        hooks,
        approvals,
        refresh: rules.refresh,
      });
      const hasEffect = () =>
        catalog.listed.some((skill) => hasLastingEffect(skill, gateInput.asksPerson) || view.gateInput.toolsOfSkills.has(skill.name));
      const { isComplete } = present;
      // A skill of a source that is down may be loaded, and ending it needs no source.
      const unload = surface.unload ?? (!isComplete || hasEffect());
      const { hasLoadable } = view;
      const given = {
        host,
        instructions,
        hooks,
        approvals,
        surface: surface.tools ?? 'progressive',
        unload,
        hasLoadable,
        isComplete,
        context,
      };
      const tools = skillTools(given, options);

      /** @param asked the call as a person is asked about it */
      async function judge(state: SkillState, call: AllowedToolCall, asked = call, canFork?: boolean): Promise<SkillCallVerdict> {
        if (audience.isHidden(call.tool)) return denied(hiddenToolText(call.tool));
        const verdict = await gates.judge(settled(state), call, canFork);
        if (approvals === undefined || verdict.decision === 'denied') return verdict;
        const tool = tools.find(({ name }) => name === asked.tool);
        return (await approvals.judge(settled(state), asked, tool)) ?? verdict;
      }

      const activate = (call: SkillToolContext, wanted: () => ActivationRequest) =>
        runTool(names.load, events, call, () => instructions.activate(wanted(), settledCall(call)));

      return {
        catalog,
        diagnostics,
        kept: texts.kept,
        approvals: approvals?.forSession((state, call) => judge(state, call)),
        tools: tools
          .filter((tool) => !audience.isHidden(tool.name))
          .map((tool) => ({ ...tool, execute: (input, call) => tool.execute(input, settledCall(call)) })),

        instructions: (base = '') => [base, catalog.text].filter((part) => part !== '').join('\n\n'),
        activeInstructions: (state, { signal: stop } = {}) => instructions.inPrompt(settled(state), stop),

        state(transcript, saved) {
          const how = { toolNames: names, activation };
          // The transcript of a fork begins with its load.
          const start = forked && { tool: names.load, input: { name: forked.skill, arguments: forked.arguments }, output: forked.prompt };
          const entries = start === undefined ? transcript : [start, ...transcript];
          return saved === undefined ? skillStateFromTranscript(entries, how) : skillStateInContext(settled(saved), entries, how);
        },
        apply: (state, happened) => foldSkillEvents(settled(state), happened, rules.activation),
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
        isHidden: audience.isHidden,
        preApproves: allowedTools?.policy === 'pre-approve',
        isGated: gates.isGated,
        openedBy: gates.openedBy,
        judgeCall: (state, call, { canFork } = {}) => judge(state, call, call, canFork),
        visibleTools: (asked, state) =>
          gates.visible(
            asked.filter((tool) => !audience.isHidden(tool)),
            settled(state),
          ),

        load: ({ name, version, arguments: skillArguments }, call) =>
          activate(call, () => {
            const skill = listedVersions(catalog.listed, name)[0] ?? findSkill(catalog, name);
            return { skill, version, arguments: skillArguments, by: 'host' };
          }),
        async invoke(typed, call) {
          const command = parseSkillCommand(typed);
          if (command === null || isNoUserSkill(catalog, typed, command.name)) return null;
          return activate(call, () => ({ skill: findUserSkill(catalog, command.name), arguments: command.arguments, by: 'user' }));
        },
        renewsChanged: rules.contentChange === 'renew',
        lengthOf: repeats ? countTokens : (measured) => Math.ceil(measured.length / 4),
        refreshes: repeats,
        inside: { host, instructions, hooks, approvals, refresh: rules.refresh, asksHost: audience.asksHost, countTokens },

        withToolsOfSkills: (toolsOfSkills) => build({ ...view, gateInput: { ...gateInput, toolsOfSkills } }),
        inFork: (fork) => ({
          alone: build({ ...view, forked: fork, catalog: onlyOf(catalog, fork.skill), hasLoadable: true }),
          beside: build({ ...view, forked: fork }),
        }),
      };
    }

    return build({ catalog: whole, gateInput, hasLoadable: visible.length > 0 || (await audience.mayLoadAny(newest)) });
  };
}

/** A catalog of one skill, with nothing to say of it: its text is what the agent was asked. */
function onlyOf(catalog: SkillCatalog, name: string): SkillCatalog {
  const listed = catalog.listed.filter((skill) => skill.name === name);
  return { ...catalog, skills: listed.slice(0, 1), listed, text: '', toolText: '' };
}

/** Judgements follow the source; the texts of a session stay as they were when it was opened. */
const listingChanged: SkillDiagnostic = {
  code: 'listing-changed',
  severity: 'info',
  message:
    'The source lists other skills than when this session was opened. Calls and loads are judged by what it has now; the catalog that the model reads is the earlier one.',
  fix: 'Open a session for each request, with `kept` of the one before.',
};

function emptyCatalog({ skills }: SkillListing, visible: readonly SkillMetadata[]): SkillDiagnostic[] {
  if (visible.length > 0) return [];
  const message =
    skills.length === 0
      ? 'The source lists no skills, so the model sees none.'
      : `The source lists ${skills.length} skills, and none of them is shown to the model: \`audience\` or the skills themselves hide all of them.`;
  return [{ code: 'catalog-empty', severity: 'warning', message, fix: 'Check the source, and the options of createSkillset.' }];
}

/** Steps that nothing runs. Those of untrusted skills are not for this host to run. */
function stepsNotRun(listed: readonly SkillMetadata[]): SkillDiagnostic[] {
  const [first, ...others] = listed.filter((skill) => skill.steps !== undefined && isTrusted(skill));
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` So do ${others.length} more.`;
  const message = `The skill ${JSON.stringify(first.name)} has steps, and the skillset has no \`workflows\`, so no tool runs them.${more}`;
  const fix =
    'Give createSkillset `workflows: skillWorkflows({ tools })` of @repertoire/skill-workflow, or leave `steps` out of the skill.';
  return [{ code: 'steps-without-workflows', severity: 'warning', skill: first.name, message, fix }];
}

function contentStoreFailed(thrown: unknown): SkillDiagnostic {
  return {
    code: 'content-store-failed',
    severity: 'warning',
    message: `The store of contents failed: ${String(thrown)}. Loaded skills are read from their source instead.`,
    fix: 'Look at `conversation.contentStore` of createSkillset. It must return what was stored under a revision, or nothing.',
  };
}
