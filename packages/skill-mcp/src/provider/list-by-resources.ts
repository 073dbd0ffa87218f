import { isJsonObject } from '@repertoire/skills-core/internal';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { forEachBounded, decodeText } from '@repertoire/skills-core/provider';
import { parseSkillFrontmatter } from '@repertoire/skills-core/skill-md';
import { parseSkillUri, pathInSkill, type SkillUri } from '../protocol/skill-uri.ts';
import { foundFile, type McpFoundFile } from '../protocol/skills-extension.ts';
import { finishListing } from './finish-listing.ts';
import { originOf, type IndexedSkill, type McpListing } from './indexed-skill.ts';
import { isNotThere, unavailable, type McpCall } from './mcp-call.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { show, unverified } from './read-entry.ts';
import { readManifest } from './read-manifest.ts';
import { readVerified } from './read-verified.ts';
import { walkPages, type WalkedPages } from './walk-pages.ts';

const concurrency = 8;
/** JSON-RPC: method not found. */
const methodNotFound = -32601;

/** Lists resources `skill://…/SKILL.md` of a server without the extension. */
export async function listByResources(call: McpCall, settings: McpSkillSettings): Promise<McpListing> {
  const { items, diagnostics, ...walked } = await walkResources(call, settings);
  const reports: SkillDiagnostic[] = [...diagnostics];
  const found: IndexedSkill[] = [];
  const resources = items.filter(isJsonObject);
  const places = resources.flatMap((resource) => {
    const location = parseSkillUri(resource['uri']);
    return location !== null && location.uri.startsWith('skill://') ? [{ location, description: resource['description'] }] : [];
  });
  const beside = new Map(places.map(({ location }) => [location.root, new Map<string, McpFoundFile>()]));
  const manifests = new Set(places.map(({ location }) => `${location.root}_manifest`));
  for (const resource of resources) {
    const { uri } = resource;
    if (typeof uri !== 'string' || manifests.has(uri)) continue;
    for (const root of rootsOf(uri, beside)) {
      const path = pathInSkill(root, uri);
      if (path !== null) beside.get(root)?.set(path, foundFile(resource));
    }
  }
  const read = async ({ location, description }: (typeof places)[number]): Promise<void> => {
    const known = beside.get(location.root) ?? new Map();
    const skill = openSkill(
      { name: location.folder, description: typeof description === 'string' ? description.trim() : '', version: null },
      location,
      known,
      settings,
    );
    // A skill without a description is useless, so it is read.
    if (settings.levelOne === 'artifact' || skill.metadata.description === '') {
      const whole = await readArtifact(call, skill, settings);
      reports.push(...whole.diagnostics);
      if (whole.skill !== null) found.push(whole.skill);
    } else {
      found.push(skill);
      reports.push(...skill.diagnostics);
    }
  };
  await forEachBounded(places, concurrency, read);
  return await finishListing(found, reports, walked, settings);
}

async function walkResources(call: McpCall, settings: McpSkillSettings): Promise<WalkedPages> {
  try {
    return await walkPages(call, { method: 'resources/list', itemsKey: 'resources' }, settings);
  } catch (error) {
    const cause = SkillError.isInstance(error) ? (error.cause as { code?: unknown } | undefined) : undefined;
    if (cause?.code !== methodNotFound) throw error;
    throw unavailable(settings.label, 'the server has neither the Skills extension nor resources', cause);
  }
}

/** A skill according to its `SKILL.md` and its manifest. */
export async function readArtifact(
  call: McpCall,
  skill: IndexedSkill,
  settings: McpSkillSettings,
  signal?: AbortSignal,
): Promise<{ readonly skill: IndexedSkill | null; readonly text: string; readonly diagnostics: readonly SkillDiagnostic[] }> {
  const files = await readManifest(call, skill, settings, signal);
  const checked: IndexedSkill = { ...skill, files };
  let text: string | null;
  try {
    const main = await readVerified(call, checked, 'SKILL.md', settings, signal);
    text = main === null ? null : decodeText(main.bytes);
  } catch (error) {
    if (!SkillError.isInstance(error) || (error.code === 'source-unavailable' && !isNotThere(error)) || error.code === 'timeout')
      throw error;
    return { skill: null, text: '', diagnostics: [unreadable(skill, error.message)] };
  }
  if (text === null) return { skill: null, text: '', diagnostics: [unreadable(skill, 'Its SKILL.md is no text.')] };
  const { location } = skill;
  const { metadata, diagnostics } = parseSkillFrontmatter(text, {
    directoryName: location.folder,
    path: location.uri,
  });
  if (metadata === null) return { skill: null, text, diagnostics };
  const whole = { ...checked, metadata: { ...metadata, origin: originOf(settings, location, files !== null) } };
  const all = files === null ? [...diagnostics, unverified(whole)] : diagnostics;
  return { skill: { ...whole, diagnostics: all }, text, diagnostics: all };
}

function openSkill(
  metadata: SkillMetadata,
  location: SkillUri,
  known: ReadonlyMap<string, McpFoundFile>,
  settings: McpSkillSettings,
): IndexedSkill {
  const listed = { ...metadata, origin: originOf(settings, location, false) };
  return {
    metadata: listed,
    location,
    ownName: metadata.name,
    frontmatter: null,
    files: null,
    unverified: known,
    key: JSON.stringify([location.uri, metadata.name, metadata.description, [...known.keys()]]),
    diagnostics: [unverified({ metadata: listed, location })],
  };
}

/** The skill folders that contain a URI; a nested file belongs to both. */
function* rootsOf(uri: string, roots: ReadonlyMap<string, unknown>): Generator<string> {
  for (let slash = uri.lastIndexOf('/'); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
    const root = uri.slice(0, slash + 1);
    if (roots.has(root)) yield root;
  }
}

function unreadable({ location }: IndexedSkill, why: string): SkillDiagnostic {
  return {
    code: 'skill-unreadable',
    severity: 'error',
    message: `The skill ${show(location.folder)} was left out: ${why}`,
    skill: location.folder,
    path: location.uri,
  };
}
