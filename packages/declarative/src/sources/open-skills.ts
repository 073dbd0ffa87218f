import { composeProviders, selectSkills, SkillError, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { readListing } from '@repertoire/skills-core/provider';
import { resolveVersion } from '@repertoire/skills-core/versions';
import type { AgentDocument, DocumentPath } from '../document/agent-document.ts';
import { didYouMean, quote } from '../document/hints.ts';
import type { SkillShape } from '../shape/agent-shape.ts';
import { resolvePath, resolveUrl, type LocationBase } from './resolve-location.ts';

/** What an entry of `skills` requests from a source. */
export interface AgentSkillRequest {
  /** Name of the skill; `undefined` for all skills of the place. */
  readonly id?: string | undefined;
  /** As written: exact, or a range. */
  readonly version?: string | undefined;
}

/** Opens a source that a file names. Returns `null` if the host does not allow it. */
export type OpenAgentSource = (location: URL, request: AgentSkillRequest) => SkillProvider | null | Promise<SkillProvider | null>;

/**
 * How places in a file become sources. Missing kinds are refused; providers say what is trusted.
 */
export interface AgentSources {
  /** For `skill_card_path`: opens the URL of a card. @default cards cannot be used */
  readonly card?: OpenAgentSource | undefined;
  /** For `folder`: opens the URL of a folder. @default folders cannot be used */
  readonly folder?: OpenAgentSource | undefined;
  /** For `url`: opens a URL. @default URLs cannot be used */
  readonly url?: OpenAgentSource | undefined;
}

/** What the host passes for the skills of a file. */
export interface OpenSkillsOptions {
  readonly sources: AgentSources;
  /** The source of skills that are named by `id` alone. */
  readonly registry: SkillProvider | undefined;
  readonly locations: LocationBase;
  readonly signal: AbortSignal | undefined;
}

/** The skills of a file as one source. */
export interface OpenedSkills {
  readonly provider: SkillProvider;
  /** Level 1 of all of them, at the time of compilation. */
  readonly listed: readonly SkillMetadata[];
}

interface Entry {
  readonly skill: SkillShape;
  readonly path: DocumentPath;
}

interface Place {
  readonly provider: SkillProvider;
  readonly entries: Entry[];
}

/**
 * Opens the sources that a file names, as far as the host allows, and checks that the skills and
 * versions exist. Problems are reported with their positions.
 *
 * @throws {SkillError} `source-unavailable` or `timeout` of a source, which are not problems of the
 *   file
 */
export async function openSkills(
  document: AgentDocument,
  skills: readonly SkillShape[],
  options: OpenSkillsOptions,
): Promise<OpenedSkills> {
  const places = new Map<string, Place>();
  for (const [index, skill] of skills.entries()) {
    const entry = { skill, path: ['skills', index] };
    const opened = await openPlace(document, entry, options, places);
    opened?.entries.push(entry);
  }
  const views: SkillProvider[] = [];
  const listed: SkillMetadata[] = [];
  for (const place of places.values()) {
    const all = await listOf(document, place, options.signal);
    const wanted = place.entries.map((entry) => selectionOf(document, entry, all));
    const isWanted = (skill: SkillMetadata): boolean => wanted.some((includes) => includes(skill));
    const shadowed = all.find((skill) => isWanted(skill) && listed.some(({ name }) => name === skill.name));
    if (shadowed !== undefined) {
      const path = place.entries[0]?.path ?? ['skills'];
      const message = `${quote(shadowed.name)} comes from an entry above, too.`;
      document.report('agent-skill', path, message, 'That one is used: name skills by `id`, each once.', 'warning');
    }
    // Labels may be equal, because hosts choose them independently.
    views.push({ ...selectSkills(place.provider, isWanted), label: `${place.provider.label}-${views.length + 1}` });
    listed.push(...all.filter(isWanted));
  }
  return { provider: views.length === 0 ? fixedSkillProvider([]) : composeProviders(views), listed };
}

async function openPlace(
  document: AgentDocument,
  { skill, path }: Entry,
  options: OpenSkillsOptions,
  places: Map<string, Place>,
): Promise<Place | null> {
  const { skill_card_path: card, folder, url, id, version } = skill;
  const known = (key: string, provider: SkillProvider): Place => {
    const place = places.get(key) ?? { provider, entries: [] };
    places.set(key, place);
    return place;
  };
  if (card === undefined && folder === undefined && url === undefined) {
    if (options.registry !== undefined) return known('registry', options.registry);
    const message = `The host gives no registry to find ${quote(id)} in.`;
    document.report('agent-host', path, message, 'Give compileAgent `skills`, or name a folder, card or URL.');
    return null;
  }
  const kind = card !== undefined ? 'card' : folder !== undefined ? 'folder' : 'url';
  const key = kind === 'card' ? 'skill_card_path' : kind;
  const at = [...path, key];
  const location = url !== undefined ? resolveUrl(url) : resolvePath(card ?? folder ?? '', options.locations);
  if ('reason' in location) {
    document.report('agent-host', at, location.reason, location.fix);
    return null;
  }
  const before = places.get(`${kind} ${location.url.href}`);
  if (before !== undefined) return before;
  const open = options.sources[kind];
  if (open === undefined) {
    document.report('agent-host', at, `The host opens no skills by ${key}.`, `Give compileAgent sources: { ${kind}: (location) => … }.`);
    return null;
  }
  const provider = await open(location.url, { id, version });
  options.signal?.throwIfAborted();
  if (provider === null) {
    document.report('agent-host', at, `The host does not allow ${location.url.href}.`, `Its sources.${kind} decides.`);
    return null;
  }
  return known(`${kind} ${location.url.href}`, provider);
}

async function listOf(
  document: AgentDocument,
  { provider, entries }: Place,
  signal: AbortSignal | undefined,
): Promise<readonly SkillMetadata[]> {
  try {
    const { skills, complete } = await readListing(provider, { signal });
    if (!complete) {
      const message = `The source ${quote(provider.label)} could not list all of its skills.`;
      document.report('agent-skill', entries[0]?.path ?? ['skills'], message, 'See its diagnostics.', 'warning');
    }
    return skills;
  } catch (error) {
    signal?.throwIfAborted();
    if (!SkillError.isInstance(error) || error.code === 'source-unavailable' || error.code === 'timeout') throw error;
    document.report('agent-skill', entries[0]?.path ?? ['skills'], error.message);
    return [];
  }
}

function selectionOf(
  document: AgentDocument,
  { skill: { id, version }, path }: Entry,
  listed: readonly SkillMetadata[],
): (skill: SkillMetadata) => boolean {
  if (id === undefined) return () => true;
  const versions = listed.filter(({ name }) => name === id).map((skill) => skill.version);
  if (versions.length === 0) {
    const message = `There is no skill ${quote(id)}.`;
    document.report('agent-skill', [...path, 'id'], message, didYouMean(id, [...new Set(listed.map(({ name }) => name))]));
    return () => false;
  }
  if (version === undefined) return ({ name }) => name === id;
  const resolved = resolveRange(versions, version);
  if (resolved === undefined) {
    const known = versions.map((other) => other ?? 'without a version');
    document.report('agent-skill', [...path, 'version'], `${quote(id)} has no version ${quote(version)}.`, `It has: ${known.join(', ')}.`);
    return () => false;
  }
  return (skill) => skill.name === id && skill.version === resolved;
}

function resolveRange(versions: readonly (string | null)[], range: string): string | null | undefined {
  try {
    return resolveVersion(versions, range);
  } catch (error) {
    // An invalid range matches nothing.
    if (SkillError.isInstance(error)) return undefined;
    throw error;
  }
}
