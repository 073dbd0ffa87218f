import { estimateTokenCount } from 'tokenx';
import { isModelInvocable, newestOfEach, type SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SurfaceModeContext } from '../catalog/surface/resolve-surface-mode.ts';
import { deepFreeze } from '../contract/deep-freeze.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import type { SkillDiagnostic, SkillListing, SkillMetadata, SkillProvider } from '../contract/skill-provider.ts';
import type { SkillActivity } from '../events/skill-activity.ts';
import { gateDiagnostics, skillGates, type GateInput } from '../policy/gates.ts';
import { applyMissingTools } from '../policy/missing-tools.ts';
import { unmatchedGates } from '../policy/unmatched-gates.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { readListing } from '../providers/read-listing.ts';
import { rememberedContents } from '../tools/pinned/remembered-contents.ts';
import { Audience } from './audience.ts';
import { buildSession, type SessionParts } from './build-session.ts';
import type { OpenRequest } from './open-request.ts';
import { reporter } from './reporter.ts';
import { SkillsetCatalogs } from './session-catalog.ts';
import { sessionSkills, type PresentListing } from './session-skills.ts';
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

/** What a skillset is made of. */
interface SkillsetParts<Context> {
  readonly options: SkillsetOptions<Context>;
  readonly provider: SkillProvider;
  readonly names: SkillToolNames;
  /** Tells the host; see `report` of a skillset. */
  readonly report: (diagnostic: SkillDiagnostic, isHeard?: boolean) => void;
}

/**
 * Opens the sessions of a skillset. It keeps caches of what is the same for all of them, and
 * nothing of a conversation.
 */
export class SessionOpener<Context> {
  readonly countTokens: (text: string) => number;
  readonly #parts: SkillsetParts<Context>;
  readonly #shared: Pick<SessionParts<Context>, 'options' | 'provider' | 'names' | 'modes' | 'countTokens' | 'contents'>;
  readonly #catalogs: SkillsetCatalogs;
  /** Listings whose diagnostics were told already. */
  readonly #told = new WeakSet<SkillListing>();

  constructor(parts: SkillsetParts<Context>) {
    const { options, provider, names, report } = (this.#parts = parts);
    const { discovery, surface = {}, conversation = {} } = options;
    this.countTokens = options.countTokens ?? estimateTokenCount;
    const modes: SurfaceModeContext = { mode: surface.mode ?? 'system-prompt', ...surface.model };
    const finders = [...(discovery === undefined ? [] : [names.search]), ...(surface.tools === 'full' ? [names.list] : [])];
    this.#catalogs = new SkillsetCatalogs(
      { names, options: options.catalog ?? {}, surface: modes, finders, countTokens: this.countTokens, fitter: discovery },
      conversation.catalogStore,
      (skills, { tokens, cut }) => this.#emit({ type: 'catalog_built', skills: skills.length, tokens, ...cut }),
    );
    const contents = rememberedContents(conversation.contentStore, (thrown) => report(contentStoreFailed(thrown)));
    this.#shared = { options, provider, names, modes, countTokens: this.countTokens, contents };
  }

  /** Reads what a session shows: the listing, as selected and permitted, and its texts. */
  async open(request: OpenRequest<Context>): Promise<SkillSession> {
    assertKnownOptions('open', request, openRules);
    const { conversation, availableTools, kept, onDiagnostic, signal } = request;
    const { options, provider, names } = this.#parts;
    const audience = new Audience(options.audience, request);
    const listing = await readListing(provider, { signal });
    const handed = availableTools === undefined ? undefined : [...availableTools];
    const failures: SkillDiagnostic[] = [];
    const listed = await audience.of(listing.skills, (failure) => failures.push(failure));
    const newest = newestOfEach(listed).filter(isModelInvocable);
    const visible = applyMissingTools(await audience.mayList(newest), options.gates?.missing, handed);
    audience.assertContext();
    signal?.throwIfAborted();
    const { catalog: texts, diagnostics: ofTexts } = await this.#catalogs.of(visible, kept, (skills) => audience.maySee(skills));
    const { text, toolText, tokens, cut } = texts;
    const catalog: SkillCatalog = deepFreeze({ skills: visible, listed, text, toolText, tokens, cut });

    const gateInput = this.#gateInput(listing, listed);
    const diagnostics = [
      ...listing.diagnostics,
      ...failures,
      ...ofTexts,
      ...gateDiagnostics(gateInput, skillGates(gateInput), handed ?? []),
      ...unmatchedGates(gateInput.declared, handed, listing.skills),
      ...emptyCatalog(listing, visible),
      ...(options.workflows === undefined ? stepsNotRun(listed) : []),
    ];
    const report = this.#reportFound(listing, diagnostics, onDiagnostic);
    const emit = (activity: SkillActivity) => this.#emit(activity);
    const { contents } = this.#shared;
    // `Context` is `undefined` unless the host passes one, so this cast is safe.
    const context = request.context as Context;
    const approvals = options.approvals?.open(context, { names, contents, conversation, emit, report, present: () => present });
    const present: PresentListing = sessionSkills({
      provider,
      audience,
      grantsOf: approvals && ((...of) => approvals.grantsOf(...of)),
      opened: { listing, selected: listed },
      maxUnconfirmedMs: options.gates?.maxListingAgeMs ?? defaultMaxListingAgeMs,
      changed: () => report(listingChanged),
    });
    return buildSession({
      ...this.#shared,
      context,
      audience,
      catalog,
      gateInput,
      present,
      diagnostics,
      kept: texts.kept,
      hasLoadable: visible.length > 0 || (await mayLoadAny(newest, audience)),
      forked: undefined,
      approvals,
      conversation,
      emit,
      report,
    });
  }

  #emit(activity: SkillActivity): void {
    try {
      this.#parts.options.onEvent?.(activity);
    } catch {
      // A listener that breaks must not break the agent.
    }
  }

  #gateInput({ skills }: SkillListing, listed: readonly SkillMetadata[]): GateInput {
    const { options, provider } = this.#parts;
    return {
      declared: options.gates?.tools ?? [],
      hostTools: provider.gatedTools?.() ?? [],
      toolsOfSkills: new Map(),
      listed: skills,
      selected: listed,
      autoActivate: options.gates?.autoActivate ?? 'currentSkill',
      asksPerson: options.approvals !== undefined,
      openOnPurpose: options.gates?.tools?.length === 0,
    };
  }

  /**
   * Reports what was found: to the skillset's listener what is new to it, to that of the request
   * all of it. Returns what reports to both later.
   */
  #reportFound(
    listing: SkillListing,
    found: readonly SkillDiagnostic[],
    onDiagnostic: OpenRequest['onDiagnostic'],
  ): (diagnostic: SkillDiagnostic) => void {
    const { report } = this.#parts;
    const isHeard = onDiagnostic !== undefined;
    const isKnown = this.#told.has(listing);
    if (Object.isFrozen(listing)) this.#told.add(listing);
    for (const diagnostic of isKnown ? found.slice(listing.diagnostics.length) : found) report(diagnostic, isHeard);
    const own = reporter(onDiagnostic);
    if (isHeard) for (const diagnostic of found) own(diagnostic);
    return (diagnostic) => {
      report(diagnostic, isHeard);
      own(diagnostic);
    };
  }
}

/** A role that may load and not list keeps its load tool. */
async function mayLoadAny<Context>(skills: readonly SkillMetadata[], audience: Audience<Context>): Promise<boolean> {
  for (const skill of skills) if (await audience.may('load', skill)) return true;
  return false;
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
