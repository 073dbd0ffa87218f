import { isModelInvocable, newestOfEach, type SkillCatalog } from '../catalog/skill-catalog.ts';
import { deepFreeze } from '../contract/deep-freeze.ts';
import type { SkillDiagnostic, SkillListing, SkillMetadata } from '../contract/skill-provider.ts';
import { gateDiagnostics, skillGates, type GateInput } from '../policy/gates.ts';
import { applyMissingTools } from '../policy/missing-tools.ts';
import { isAllowed } from '../policy/permissions.ts';
import { readListing } from '../providers/read-listing.ts';
import { predicateOf } from '../providers/select-skills.ts';
import type { OpenRequest } from './open-request.ts';
import { buildSession } from './build-session.ts';
import { catalogChanged, readKept, type KeptCatalogTexts, type KeptSession } from './kept-catalog.ts';
import type { MemoizedCatalog } from './catalog-memo.ts';
import { reporter } from './reporter.ts';
import { sessionSkills, type PresentListing } from './session-skills.ts';
import type { SkillSession } from './skill-session.ts';
import type { SkillsetPolicy } from './skillset-policy.ts';

/** Reads what a session shows: the listing, what the host selects and permits of it, and the texts. */
export async function openSession<Context>(
  policy: SkillsetPolicy<Context>,
  { context, availableTools, kept, onDiagnostic, signal }: OpenRequest<Context>,
): Promise<SkillSession> {
  const { options, provider } = policy;
  // `Context` is `undefined` unless the host passes one, so this cast is safe.
  const given = context as Context;
  const listing = await readListing(provider, { signal });
  const handed = availableTools === undefined ? undefined : [...availableTools];
  const failures: SkillDiagnostic[] = [];
  const listed = selected(policy, listing, given, failures);
  const visible = await visibleOf(policy, listed, given, handed);
  signal?.throwIfAborted();
  const built = await policy.memo.of(visible);
  const { texts, digest } = await textsFor(
    policy,
    built,
    readKept(kept, (diagnostic) => failures.push(diagnostic)),
    failures,
  );
  const catalog: SkillCatalog = deepFreeze({ skills: visible, listed, ...texts, cut: built.texts.cut });

  const gateInput: GateInput = {
    declared: options.gatedTools ?? [],
    hostTools: provider.gatedTools?.() ?? [],
    brought: new Map(),
    listed: listing.skills,
    selected: listed,
    autoActivate: options.autoActivate ?? 'currentSkill',
    asksPerson: options.approvals !== undefined,
  };
  const diagnostics = [
    ...listing.diagnostics,
    ...failures,
    ...built.texts.diagnostics,
    ...gateDiagnostics(gateInput, skillGates(gateInput), handed ?? []),
    ...emptyCatalog(listing, visible),
  ];
  tell(policy, listing, diagnostics);
  const own = reporter(onDiagnostic);
  if (onDiagnostic !== undefined) for (const diagnostic of diagnostics) own(diagnostic);
  const report = (diagnostic: SkillDiagnostic): void => {
    policy.report(diagnostic);
    own(diagnostic);
  };
  const approvals = options.approvals?.open(given, {
    names: policy.names,
    contents: policy.contents,
    emit: policy.emit,
    report,
    present: () => present,
  });
  const present: PresentListing = sessionSkills({
    provider,
    grantsOf: approvals?.grantsOf,
    opened: { listing, selected: listed },
    select: (other) => selected(policy, other, given, []),
  });
  return buildSession({
    policy,
    context: given,
    catalog,
    gateInput,
    present,
    diagnostics,
    kept: { catalog: digest },
    hasLoadable: visible.length > 0 || (await someMayLoad(policy, listed, given)),
    forked: undefined,
    approvals,
    report,
  });
}

function selected<Context>(
  { options }: SkillsetPolicy<Context>,
  { skills }: SkillListing,
  context: Context,
  failures: SkillDiagnostic[],
): readonly SkillMetadata[] {
  const { select } = options;
  if (select === undefined) return skills;
  const isSelected = predicateOf((skill) => select(skill, context), '`select` of the skillset');
  return skills.filter((skill) => isSelected(skill, (failure) => failures.push(failure)));
}

/** What the model sees: the newest version of each skill that it may load and list. */
async function visibleOf<Context>(
  { options }: SkillsetPolicy<Context>,
  listed: readonly SkillMetadata[],
  context: Context,
  handed: readonly string[] | undefined,
): Promise<readonly SkillMetadata[]> {
  const open = newestOfEach(listed).filter(isModelInvocable);
  const { permissions, missingTools = 'show' } = options;
  const answers =
    permissions === undefined ? [] : await Promise.all(open.map((skill) => isAllowed(permissions, { action: 'list', skill, context })));
  const allowed = permissions === undefined ? open : open.filter((_, index) => answers[index]?.allowed);
  return handed === undefined || missingTools === 'show' ? allowed : applyMissingTools(allowed, missingTools, handed);
}

/** A role that may load and not list keeps its load tool. */
async function someMayLoad<Context>(
  { options }: SkillsetPolicy<Context>,
  listed: readonly SkillMetadata[],
  context: Context,
): Promise<boolean> {
  for (const skill of newestOfEach(listed).filter(isModelInvocable)) {
    if ((await isAllowed(options.permissions, { action: 'load', skill, context })).allowed) return true;
  }
  return false;
}

/** The texts that the model reads: those of now, or those that the conversation began with; and their digest, which is what is kept. */
async function textsFor<Context>(
  { options }: SkillsetPolicy<Context>,
  { texts, digest }: MemoizedCatalog,
  kept: KeptSession | undefined,
  failures: SkillDiagnostic[],
): Promise<{ readonly texts: KeptCatalogTexts; readonly digest: string }> {
  const own: KeptCatalogTexts = { text: texts.text, toolText: texts.toolText, tokens: texts.tokens };
  const isChanged = kept !== undefined && kept.catalog !== digest;
  if (options.onChange === 'pin') {
    const pinned = isChanged ? await options.catalogStore?.get(kept.catalog) : undefined;
    if (isChanged && pinned !== undefined && pinned !== null) {
      return { texts: { text: pinned.text, toolText: pinned.toolText, tokens: pinned.tokens }, digest: kept.catalog };
    }
    await options.catalogStore?.set(digest, own);
  }
  if (isChanged) failures.push(catalogChanged(options.onChange === 'pin'));
  return { texts: own, digest };
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
          : `The source lists ${skills.length} skills, and none of them is shown to the model: \`select\`, \`permissions\` or the skills themselves hide all of them.`,
      fix: 'Check the source, and the options of createSkillset.',
    },
  ];
}

function tell<Context>(policy: SkillsetPolicy<Context>, listing: SkillListing, diagnostics: readonly SkillDiagnostic[]): void {
  const known = policy.told.has(listing);
  if (Object.isFrozen(listing)) policy.told.add(listing);
  for (const diagnostic of known ? diagnostics.slice(listing.diagnostics.length) : diagnostics) policy.report(diagnostic);
}
