import { isModelInvocable, newestOfEach, type SkillCatalog } from '../catalog/skill-catalog.ts';
import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import { deepFreeze } from '../contract/deep-freeze.ts';
import type { SkillDiagnostic, SkillListing, SkillMetadata } from '../contract/skill-provider.ts';
import { isAllowed } from '../policy/permissions.ts';
import { gateDiagnostics, skillGates, type GateInput } from '../policy/gates.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { SkillError } from '../errors/skill-error.ts';
import { applyMissingTools } from '../policy/missing-tools.ts';
import { unmatchedGates } from '../policy/unmatched-gates.ts';
import { readListing } from '../providers/read-listing.ts';
import { predicateOf } from '../providers/select-skills.ts';
import type { OpenRequest } from './open-request.ts';
import { buildSession } from './build-session.ts';
import { catalogChanged, readKept, type KeptCatalogTexts, type KeptSession } from './kept-catalog.ts';
import type { MemoizedCatalog } from './catalog-memo.ts';
import { PermittedSkills } from './permitted-skills.ts';
import { reporter } from './reporter.ts';
import { sessionSkills, type PresentListing } from './session-skills.ts';
import type { SkillSession } from './skill-session.ts';
import type { SkillsetPolicy } from './skillset-policy.ts';

const openRules: OptionRules<OpenRequest> = {
  context: true,
  conversation: 'string',
  availableTools: 'iterable',
  kept: true,
  onDiagnostic: '()',
  signal: '{}',
};

/** Reads what a session shows: the listing, as selected and permitted, and its texts. */
export async function openSession<Context>(policy: SkillsetPolicy<Context>, request: OpenRequest<Context>): Promise<SkillSession> {
  assertKnownOptions('open', request, openRules);
  const { context, conversation, availableTools, kept, onDiagnostic, signal } = request;
  const { options, provider } = policy;
  // `Context` is `undefined` unless the host passes one, so this cast is safe.
  const given = context as Context;
  assertContext(policy, request);
  const listing = await readListing(provider, { signal });
  const handed = availableTools === undefined ? undefined : [...availableTools];
  const failures: SkillDiagnostic[] = [];
  const permitted = new PermittedSkills(policy, request);
  const listed = await permitted.of(selected(policy, listing, given, failures));
  const visible = await visibleOf(policy, listed, permitted, handed);
  if (permitted.missedContext) throw withoutContext('permissions');
  signal?.throwIfAborted();
  const built = await policy.memo.of(visible);
  const now = { skills: visible, maySee: (skills: readonly SkillMetadata[]) => maySeeAll(policy, given, skills, permitted) };
  const before = readKept(kept, (diagnostic) => failures.push(diagnostic));
  const { texts, kept: keptNow } = await textsFor(policy, built, now, before, failures);
  const catalog: SkillCatalog = deepFreeze({ skills: visible, listed, ...texts, cut: built.texts.cut });

  const gateInput = gateInputOf(policy, listing, listed);
  const diagnostics = [
    ...listing.diagnostics,
    ...failures,
    ...built.texts.diagnostics,
    ...gateDiagnostics(gateInput, skillGates(gateInput), handed ?? []),
    ...unmatchedGates(gateInput.declared, handed, listing.skills),
    ...emptyCatalog(listing, visible),
    ...(options.workflows === undefined ? stepsNotRun(listed) : []),
  ];
  const report = reportFound(policy, listing, diagnostics, onDiagnostic);
  const approvals = options.approvals?.open(given, {
    names: policy.names,
    contents: policy.contents,
    conversation,
    emit: policy.emit,
    report,
    present: () => present,
  });
  const present: PresentListing = sessionSkills({
    provider,
    grantsOf: approvals && ((...of) => approvals.grantsOf(...of)),
    opened: { listing, selected: listed },
    mayLoad: async (skill) => (await isAllowed(options.audience?.permissions, { action: 'load', skill, context: given })).allowed,
    maxUnconfirmedMs: options.gates?.maxListingAgeMs ?? defaultMaxListingAgeMs,
    select: async (other) => permitted.of(selected(policy, other, given, [])),
    changed: () => report(listingChanged),
  });
  return buildSession({
    policy,
    context: given,
    catalog,
    gateInput,
    present,
    diagnostics,
    kept: keptNow,
    hasLoadable: visible.length > 0 || (await someMayLoad(listed, permitted)),
    forked: undefined,
    approvals,
    conversation,
    report,
  });
}

/** How long gates and grants outlive the last answer of a source: an hour. */
const defaultMaxListingAgeMs = 3_600_000;

/** A hook that takes a context would judge for nobody, and most often fail for every skill. */
function assertContext<Context>({ options: { audience } }: SkillsetPolicy<Context>, request: OpenRequest<Context>): void {
  if ('context' in request) return;
  if ((audience?.select?.length ?? 0) > 1) throw withoutContext('select');
  if ((audience?.tools?.length ?? 0) > 1) throw withoutContext('tools');
}

function withoutContext(hook: 'select' | 'permissions' | 'tools'): SkillError {
  return new SkillError(
    'invalid-options',
    `\`audience.${hook}\` takes a context, and this session is opened without one. Pass \`context\` to open(), or to the function of the adapter; \`context: undefined\` says that there is none.`,
  );
}

/** Judgements follow the source; the texts of a session stay as they were when it was opened. */
const listingChanged: SkillDiagnostic = {
  code: 'listing-changed',
  severity: 'info',
  message:
    'The source lists other skills than when this session was opened. Calls and loads are judged by what it has now; the catalog that the model reads is the earlier one.',
  fix: 'Open a session for each request, with `kept` of the one before.',
};

function gateInputOf<Context>(
  { options, provider }: SkillsetPolicy<Context>,
  { skills }: Pick<SkillListing, 'skills'>,
  listed: readonly SkillMetadata[],
): GateInput {
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
 * Reports what was found: to the skillset's listener what is new to it, to that of the request all
 * of it. Returns what reports to both later.
 */
function reportFound<Context>(
  policy: SkillsetPolicy<Context>,
  listing: SkillListing,
  found: readonly SkillDiagnostic[],
  onDiagnostic: OpenRequest['onDiagnostic'],
): (diagnostic: SkillDiagnostic) => void {
  const isHeard = onDiagnostic !== undefined;
  const known = policy.told.has(listing);
  if (Object.isFrozen(listing)) policy.told.add(listing);
  for (const diagnostic of known ? found.slice(listing.diagnostics.length) : found) policy.report(diagnostic, isHeard);
  const own = reporter(onDiagnostic);
  if (isHeard) for (const diagnostic of found) own(diagnostic);
  return (diagnostic) => {
    policy.report(diagnostic, isHeard);
    own(diagnostic);
  };
}

function selected<Context>(
  { options }: SkillsetPolicy<Context>,
  { skills }: Pick<SkillListing, 'skills'>,
  context: Context,
  failures: SkillDiagnostic[],
): readonly SkillMetadata[] {
  const select = options.audience?.select;
  if (select === undefined) return skills;
  const isSelected = predicateOf((skill) => select(skill, context), '`audience.select` of the skillset');
  return skills.filter((skill) => isSelected(skill, (failure) => failures.push(failure)));
}

/** What the model sees: the newest version of each skill that it may load and list. */
async function visibleOf<Context>(
  { options }: SkillsetPolicy<Context>,
  listed: readonly SkillMetadata[],
  permitted: PermittedSkills<Context>,
  handed: readonly string[] | undefined,
): Promise<readonly SkillMetadata[]> {
  const missing = options.gates?.missing ?? 'show';
  const allowed = await permitted.mayList(newestOfEach(listed).filter(isModelInvocable));
  return handed === undefined || missing === 'show' ? allowed : applyMissingTools(allowed, missing, handed);
}

/** A role that may load and not list keeps its load tool. */
async function someMayLoad<Context>(listed: readonly SkillMetadata[], permitted: PermittedSkills<Context>): Promise<boolean> {
  for (const skill of newestOfEach(listed).filter(isModelInvocable)) if (await permitted.may('load', skill)) return true;
  return false;
}

type SessionTexts = Omit<KeptCatalogTexts, 'skills'>;

/** Whether this request may see all of these skills. */
async function maySeeAll<Context>(
  policy: SkillsetPolicy<Context>,
  context: Context,
  skills: unknown,
  permitted: PermittedSkills<Context>,
): Promise<boolean> {
  if (!Array.isArray(skills)) return false;
  const own = skills as readonly SkillMetadata[];
  return selected(policy, { skills: own }, context, []).length === own.length && (await permitted.mayList(own)).length === own.length;
}

/** The current texts, or those that the conversation began with, and what is kept of them. */
async function textsFor<Context>(
  { options }: SkillsetPolicy<Context>,
  { texts, kept: current }: MemoizedCatalog,
  audience: { readonly skills: readonly SkillMetadata[]; maySee(skills: readonly SkillMetadata[]): Promise<boolean> },
  kept: KeptSession | undefined,
  failures: SkillDiagnostic[],
): Promise<{ readonly texts: SessionTexts; readonly kept: KeptSession }> {
  const own: SessionTexts = { text: texts.text, toolText: texts.toolText, tokens: texts.tokens };
  const isChanged = kept !== undefined && kept.catalog !== current.catalog;
  const catalogStore = options.conversation?.catalogStore;
  if (catalogStore !== undefined) {
    const pinned = isChanged ? await catalogStore.get(kept.catalog) : undefined;
    // A client may claim the digest of another tenant's catalog.
    if (isChanged && pinned !== undefined && pinned !== null && (await audience.maySee(pinned.skills))) {
      return { texts: { text: pinned.text, toolText: pinned.toolText, tokens: pinned.tokens }, kept };
    }
    await catalogStore.set(current.catalog, { ...own, skills: audience.skills });
  }
  if (isChanged) failures.push(catalogChanged(catalogStore !== undefined));
  return { texts: own, kept: current };
}

function emptyCatalog({ skills }: SkillListing, visible: readonly SkillMetadata[]): SkillDiagnostic[] {
  if (visible.length > 0) return [];
  return [
    {
      code: 'catalog-empty',
      severity: 'warning',
      message:
        skills.length === 0
          ? 'The source lists no skills, so the model sees none.'
          : `The source lists ${skills.length} skills, and none of them is shown to the model: \`audience\` or the skills themselves hide all of them.`,
      fix: 'Check the source, and the options of createSkillset.',
    },
  ];
}

/** Steps that nothing runs. Those of untrusted skills are not for this host to run. */
function stepsNotRun(listed: readonly SkillMetadata[]): SkillDiagnostic[] {
  const [first, ...others] = listed.filter((skill) => skill.steps !== undefined && isTrusted(skill));
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` So do ${others.length} more.`;
  return [
    {
      code: 'steps-without-workflows',
      severity: 'warning',
      skill: first.name,
      message: `The skill ${JSON.stringify(first.name)} has steps, and the skillset has no \`workflows\`, so no tool runs them.${more}`,
      fix: 'Give createSkillset `workflows: skillWorkflows({ tools })` of @repertoire/skill-workflow, or leave `steps` out of the skill.',
    },
  ];
}
