import { isTrusted, SkillError, type Skill, type SkillDiagnostic, type SkillProvider, type SkillSession } from '@repertoire/skills-core';
import { catalogCuts, catalogLines, messageOf, newestOfEach } from '@repertoire/skills-core/internal';
import { forEachBounded, readListing } from '@repertoire/skills-core/provider';
import { risksOfSkill } from '@repertoire/skill-proposals/internal';
import { skillsetOf, type PromptSettings } from '../prompt/prompt-settings.ts';
import { signatureReader, type SignatureOptions } from './read-signature.ts';
import type { LibraryView, SkillCost, SkillRow, SkillView } from './views.ts';

const atOnce = 16;

/** A library that was read whole. It is made anew after a change. */
export interface Library {
  readonly view: LibraryView;
  /** Every skill with its instructions, the newest version of each name. */
  readonly skills: ReadonlyMap<string, Skill>;
  readonly session: SkillSession;
  /** The lines of each skill in the catalog. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
}

/** What a library is read with. */
export interface ReadLibraryOptions extends SignatureOptions {
  readonly settings: PromptSettings;
  readonly locked: boolean;
  /** What the library is called. @default the label of the provider */
  readonly title?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Is told after each skill how many were read. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/** Reads every skill of a source: its cost, what the budget did to it, and who signed it. */
export async function readLibrary(provider: SkillProvider, options: ReadLibraryOptions): Promise<Library> {
  const { settings, signal, locked, onProgress, title = provider.label } = options;
  const skillset = skillsetOf(provider, settings);
  const [listing, session] = [await readListing(provider, { signal }), await skillset.open({ signal })];
  const lines = catalogLines(session.catalog, settings.format);
  const cuts = catalogCuts(session.catalog);
  const visible = new Set(session.catalog.skills.map(({ name }) => name));
  const newest = newestOfEach(listing.skills);
  const skills = new Map<string, Skill>();
  const rows = new Map<string, SkillRow>();
  const unread: SkillDiagnostic[] = [];
  const risky = new Map<string, readonly SkillDiagnostic[]>();
  const readSignature = signatureReader(options);
  const ofSkill = Map.groupBy(listing.diagnostics, ({ skill }) => skill);
  onProgress?.(0, newest.length);
  await forEachBounded(newest, atOnce, async (metadata) => {
    const skill = await provider.getSkill(metadata.name, { version: metadata.version, signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      unread.push(unreadable(metadata.name, error));
      return null;
    });
    if (skill !== null) skills.set(metadata.name, skill);
    // A file that cannot be read is told where it is shown.
    const risks = skill === null ? [] : await risksOfSkill(provider, skill, signal).catch(() => []);
    signal?.throwIfAborted();
    risky.set(metadata.name, risks);
    const own = [...(ofSkill.get(metadata.name) ?? []), ...unread.filter((diagnostic) => diagnostic.skill === metadata.name), ...risks];
    const diagnostics = skill === null ? own : [...own, ...skill.diagnostics];
    const shown = visible.has(metadata.name) ? (cuts.get(metadata.name) ?? 'whole') : 'hidden';
    rows.set(metadata.name, {
      name: metadata.name,
      version: metadata.version,
      description: metadata.description,
      source: metadata.origin?.label ?? '',
      trusted: isTrusted(metadata),
      shown,
      cost: costOf(skill, lines.get(metadata.name) ?? [], skillset.countTokens),
      fileCount: skill?.resources.length ?? 0,
      errors: diagnostics.filter(({ severity }) => severity === 'error').length,
      warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
      risks: risks.filter(({ severity }) => severity !== 'info').length,
      signature: skill === null ? { kind: 'not-signed' } : await readSignature(provider, skill),
    });
    onProgress?.(rows.size, newest.length);
  });
  const view: LibraryView = {
    label: title,
    skills: newest.flatMap(({ name }) => rows.get(name) ?? []),
    catalogTokens: session.catalog.tokens,
    maxTokens: settings.maxTokens,
    diagnostics: [
      ...session.diagnostics,
      ...unread,
      ...newest.flatMap(({ name }) => risky.get(name) ?? []),
      ...[...skills.values()].flatMap(({ diagnostics }) => diagnostics),
    ],
    complete: listing.complete,
    locked,
  };
  return { view, skills, session, lines };
}

/** A skill that is listed and cannot be read hides no other. */
function unreadable(skill: string, error: unknown): SkillDiagnostic {
  const code = SkillError.isInstance(error) ? error.code : 'source-unavailable';
  return { code, severity: 'error', message: `${skill} cannot be read: ${messageOf(error)}`, skill };
}

/** One skill of a library, with its file as its author wrote it. */
export function skillView({ view, skills, lines }: Library, name: string, skillMd: string): SkillView | null {
  const skill = skills.get(name);
  const row = view.skills.find((each) => each.name === name);
  if (skill === undefined || row === undefined) return null;
  return {
    name,
    version: skill.version,
    line: (lines.get(name) ?? []).join('\n'),
    body: skill.body,
    skillMd,
    fields: fieldsOf(skill),
    files: skill.resources.map(({ path, kind, mediaType, size }) => ({ path, kind, mediaType, size: size ?? null })),
    diagnostics: [
      ...view.diagnostics.filter((diagnostic) => diagnostic.skill === name && !skill.diagnostics.includes(diagnostic)),
      ...skill.diagnostics,
    ],
    signature: row.signature,
    location: skill.origin?.uri ?? null,
  };
}

function costOf(skill: Skill | null, lines: readonly string[], countTokens: (text: string) => number): SkillCost {
  const files: Record<string, number> = {};
  for (const { kind, size = 0, mediaType } of skill?.resources ?? []) {
    // About four bytes of text are a token. Counting would mean reading every file.
    if (isText(mediaType)) files[kind] = (files[kind] ?? 0) + Math.ceil(size / 4);
  }
  const line = lines.reduce((sum, one) => sum + countTokens(one), 0);
  return { line, body: skill === null ? 0 : countTokens(skill.body), files };
}

function isText(mediaType: string): boolean {
  return /^text\/|json|xml|yaml|javascript|typescript|toml|x-sh|x-python|sql/.test(mediaType);
}

function fieldsOf(skill: Skill): Record<string, string> {
  const { license, compatibility, model, context, disableModelInvocation, userInvocable } = skill;
  const fields: Record<string, string | undefined> = {
    license,
    compatibility,
    'when to use': skill.whenToUse,
    tools: skill.tools?.join(', '),
    'allowed tools': skill.allowedTools?.join(', '),
    model,
    context,
    'who may start it': disableModelInvocation === true ? 'only a person' : userInvocable === false ? 'only the model' : undefined,
    ...skill.metadata,
  };
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''));
}
