import type { ProposedFile, SkillEdit, SkillFilesByPath } from './skill-proposal.ts';
import { sha256Hex } from '@repertoire/skills-core/provider';

/** Files with a change in them, or why it cannot be made. */
export type AppliedChange = { readonly files: SkillFilesByPath } | { readonly problem: string };

const encoder = new TextEncoder();

/**
 * Makes a change in files: every old text must occur exactly once, and a whole file must replace
 * the one that it was written for. Edits are all located in the files as they are, so their order
 * is of no consequence.
 */
export async function applyChange(
  files: SkillFilesByPath,
  change: { readonly files: readonly ProposedFile[]; readonly edits: readonly SkillEdit[] },
): Promise<AppliedChange> {
  const next = new Map(Object.entries(files));
  for (const [path, edits] of Map.groupBy(change.edits, (edit) => edit.path)) {
    const text = textOf(next.get(path));
    if (text === null) return { problem: `${JSON.stringify(path)} is no text file of the skill, so nothing in it can be edited.` };
    const edited = editText(text, edits);
    if ('problem' in edited) return { problem: `${edited.problem} in ${JSON.stringify(path)}.` };
    next.set(path, encoder.encode(edited.text));
  }
  for (const { path, text, replaces } of change.files) {
    const there = next.get(path);
    if (replaces === null && there !== undefined) return { problem: `${JSON.stringify(path)} was to be a new file, and there is one now.` };
    if (replaces !== null && (there === undefined || (await sha256Hex(there)) !== replaces))
      return { problem: `${JSON.stringify(path)} is not the file that was to be replaced.` };
    next.set(path, encoder.encode(text));
  }
  return { files: Object.fromEntries(next) };
}

function editText(text: string, edits: readonly SkillEdit[]): { readonly text: string } | { readonly problem: string } {
  // A model reads every line end as one character.
  const hasCrlf = text.includes('\r\n');
  const asInFile = (part: string): string => (hasCrlf ? part.replace(/\r?\n/g, '\r\n') : part);
  const places: { readonly start: number; readonly end: number; readonly by: string }[] = [];
  for (const edit of edits) {
    const old = asInFile(edit.old);
    const start = text.indexOf(old);
    if (start === -1) return { problem: `The text ${shown(edit.old)} does not occur` };
    if (text.indexOf(old, start + 1) !== -1) return { problem: `The text ${shown(edit.old)} occurs more than once` };
    places.push({ start, end: start + old.length, by: asInFile(edit.new) });
  }
  places.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, by } of places) {
    if (start < at) return { problem: `Two edits change the same text, at ${shown(text.slice(start, end))},` };
    parts.push(text.slice(at, start), by);
    at = end;
  }
  return { text: parts.join('') + text.slice(at) };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** The text of a file as it is, byte order mark and all; `null` for what is none. */
export function textOf(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
