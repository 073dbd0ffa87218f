import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { parseSkillProposal } from '../proposal/parse-skill-proposal.ts';
import { proposalLimits, type SkillProposal } from '../proposal/skill-proposal.ts';
import { parseDecision } from '../store/parse-decision.ts';
import type { SkillProposalDecision, SkillProposalRecord, SkillProposalStore } from '../store/skill-proposal-store.ts';

/** No source takes `SKILL.md.proposed` for a skill, wherever the folder lies. */
const ending = '.proposed';
const maxJsonBytes = 64 * 1024 * 1024;

/**
 * Proposals in a folder, one folder for each: `proposal.json`, the proposed files below `files/`,
 * and one file for each decision. They can be committed and reviewed like code. Every write is
 * atomic: what a crash leaves behind is whole, or ignored.
 *
 * @example
 * ```ts
 * import { skillProposals } from '@repertoire/skill-proposals';
 * import { folderProposalStore } from '@repertoire/skill-proposals/node';
 *
 * export const proposals = skillProposals({ store: folderProposalStore('./proposals') });
 * ```
 */
export function folderProposalStore(folder: string): SkillProposalStore {
  if (typeof folder !== 'string' || folder === '')
    throw new SkillError('invalid-options', 'folderProposalStore needs the path of a folder.');
  const root = path.resolve(folder);
  return {
    async list() {
      const entries = await readdir(root, { withFileTypes: true }).catch(noneIfMissing);
      return entries.filter((entry) => entry.isDirectory() && isId(entry.name)).map(({ name }) => name);
    },
    read: async (id) => (isId(id) ? readProposal(root, id) : null),
    add: async (proposal) => addProposal(root, proposal),
    decide: async (id, decision, after) => isId(id) && addDecision(root, id, decision, after),
  };
}

async function readProposal(root: string, id: string): Promise<SkillProposalRecord | null> {
  const text = await textOrNull(path.join(root, id, 'proposal.json'));
  if (text === null) return null;
  const json = parseJson(text, id);
  const listed: unknown = typeof json === 'object' && json !== null ? (json as Record<string, unknown>)['files'] : undefined;
  if (!Array.isArray(listed) || listed.length > proposalLimits.files)
    return { proposal: await parseSkillProposal(json, id), decisions: [] };
  const files = await Promise.all(listed.map(async (file: unknown) => ({ ...(file as object), text: await fileText(root, id, file) })));
  const proposal = await parseSkillProposal({ ...(json as object), files }, id);
  return { proposal, decisions: await readDecisions(root, id) };
}

async function readDecisions(root: string, id: string): Promise<SkillProposalDecision[]> {
  const decisions: SkillProposalDecision[] = [];
  for (;;) {
    const text = await textOrNull(path.join(root, id, decisionName(decisions.length)));
    if (text === null) return decisions;
    decisions.push(parseDecision(parseJson(text, id), id));
  }
}

async function addProposal(root: string, { files, ...rest }: SkillProposal): Promise<boolean> {
  const staged = stagedPath(root);
  const target = path.join(root, rest.id);
  try {
    await mkdir(staged, { recursive: true });
    for (const { path: inner, text } of files) {
      const full = path.join(staged, 'files', ...`${inner}${ending}`.split('/'));
      await mkdir(path.dirname(full), { recursive: true });
      await writeDurably(full, text);
    }
    const listed = files.map(({ path: inner, replaces }) => ({ path: inner, replaces }));
    await writeDurably(path.join(staged, 'proposal.json'), jsonFile({ ...rest, files: listed }));
    // A folder never replaces one that has files, so there is one winner.
    await rename(staged, target);
    return true;
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error)) && (await stat(target).catch(() => null)) !== null) return false;
    throw unwritable(root, error);
  }
}

async function addDecision(root: string, id: string, decision: SkillProposalDecision, after: number): Promise<boolean> {
  const staged = stagedPath(root);
  try {
    if ((await readDecisions(root, id)).length !== after) return false;
    await writeDurably(staged, jsonFile(decision));
    // A link is made as a whole, and never over a file that is there.
    await link(staged, path.join(root, id, decisionName(after)));
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    throw SkillError.isInstance(error) ? error : unwritable(root, error);
  } finally {
    await rm(staged, { force: true });
  }
}

function stagedPath(root: string): string {
  return path.join(root, `.new-${randomBytes(9).toString('hex')}`);
}

function decisionName(index: number): string {
  return `decision-${index + 1}.json`;
}

/** The name of a folder, and nothing that leads elsewhere. */
function isId(name: string): boolean {
  return /^[^./\\\0][^/\\\0]{0,120}$/.test(name);
}

async function fileText(root: string, id: string, file: unknown): Promise<string | undefined> {
  const inner: unknown = typeof file === 'object' && file !== null ? (file as Record<string, unknown>)['path'] : undefined;
  // The parser judges the path; here it only must not be followed.
  if (typeof inner !== 'string' || inner.split(/[/\\]/).some((segment) => segment === '' || segment.startsWith('.')) || /[\0:]/.test(inner))
    return '';
  return (await textOrNull(path.join(root, id, 'files', `${inner}${ending}`), proposalLimits.textBytes)) ?? undefined;
}

async function textOrNull(full: string, most: number = maxJsonBytes): Promise<string | null> {
  try {
    const { size } = await stat(full);
    if (size > most) throw new SkillError('limit-exceeded', `${full} has more than ${most} bytes.`, { path: full });
    return await readFile(full, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** The bytes are on the disk before a name leads to them. */
async function writeDurably(full: string, text: string): Promise<void> {
  await writeFile(full, text, { flag: 'wx' });
  const handle = await open(full, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function parseJson(text: string, id: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SkillError('invalid-input', `The proposal ${JSON.stringify(id)} is damaged: a file of it is no JSON. Restore it.`, { cause });
  }
}

function noneIfMissing(error: unknown): never[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function unwritable(root: string, cause: unknown): SkillError {
  return new SkillError(
    'source-unavailable',
    `The folder ${root} cannot take a proposal: ${String(cause)}. Check its permissions and the disk.`,
    { path: root, cause },
  );
}
