import { hashText } from '../providers/digest/hash-text.ts';
import { defaultSkillToolNames } from '../prompt/tool-names.ts';
import type { LoadedSkill, SkillState } from './skill-state.ts';
import type { SkillTranscriptEntry, SkillTranscriptOptions } from './transcript-entry.ts';

/** Where a text of a loaded skill stands. */
interface Standing {
  readonly cut: boolean;
  readonly at: number | undefined;
}

/**
 * Aligns a saved state with what still stands in the context. The saved state comes from a server
 * or a checkpoint and decides what is loaded. The transcript is what the model is about to read; it
 * may have been cut, summarized or forged. It adds nothing: a text of it counts if its hash is one
 * of those that the host gave, and then shows that the skill is still there, whether it is cut, and
 * where it stands.
 */
export function skillStateInContext(
  saved: SkillState,
  transcript: readonly SkillTranscriptEntry[],
  { toolNames = defaultSkillToolNames }: SkillTranscriptOptions = {},
): SkillState {
  const owners = textOwners(saved);
  if (owners.size === 0) return withStanding(saved, new Map());
  const standing = new Map<string, Standing>();
  for (const { tool, output, at } of transcript) {
    const owner = tool === toolNames.load ? owners.get(hashText(output)) : undefined;
    if (owner !== undefined) standing.set(owner.name, { cut: owner.cut, at });
  }
  return withStanding(saved, standing);
}

/** The loaded skills by the hashes of the texts that the host gave. */
export function textOwners({ loaded }: SkillState): ReadonlyMap<string, { readonly name: string; readonly cut: boolean }> {
  const owners = new Map<string, { name: string; cut: boolean }>();
  for (const [name, { texts }] of Object.entries(loaded)) {
    for (const text of texts) {
      const cut = text.startsWith('~');
      owners.set(cut ? text.slice(1) : text, { name, cut });
    }
  }
  return owners;
}

function withStanding(saved: SkillState, standing: ReadonlyMap<string, Standing>): SkillState {
  const changed = Object.entries(saved.loaded).flatMap(([name, entry]) => {
    const now = aligned(entry, standing.get(name));
    return now === entry ? [] : [[name, now] as const];
  });
  return changed.length === 0 ? saved : { loaded: { ...saved.loaded, ...Object.fromEntries(changed) } };
}

function aligned(entry: LoadedSkill, found: Standing | undefined): LoadedSkill {
  if (found === undefined) return entry.inContext ? { ...entry, inContext: false } : entry;
  // A cut moved the text nearer to the start; its old place would never be due.
  const at = found.at ?? entry.at;
  if (entry.inContext && (entry.cut === true) === found.cut && entry.at === at) return entry;
  const { cut: _cut, ...rest } = entry;
  return { ...rest, inContext: true, ...(found.cut && { cut: true as const }), ...(at !== undefined && { at }) };
}
