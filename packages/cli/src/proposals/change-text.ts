import type { SkillFilesByPath, SkillProposal } from '@repertoire/skill-proposals';
import { shownBytes } from '@repertoire/skill-proposals/internal';
import { hiddenCharacters } from '@repertoire/skills-core/internal';
import { createTwoFilesPatch } from 'diff';

const linesOfPage = 400;
/** Texts that differ in more lines have nothing in common that is worth a patch. */
const maxEditLength = 2_000;

/**
 * Everything that a change brings, takes or replaces, with nothing left out: text whole, what is no
 * text by its size, type and digest, long texts in numbered pages. Characters that nobody sees are
 * written as their code, and so is a hyphen of each `--digest` and `--accept`, so that no text can
 * quote a command that accepts something. Each line of a text has a sign before it, so none looks
 * like a line of ours.
 */
export async function changeText(before: SkillFilesByPath, after: SkillFilesByPath): Promise<string> {
  const changed: string[] = [];
  for (const path of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [was, is] = [before[path], after[path]];
    if (was === undefined || is === undefined || Buffer.compare(was, is) !== 0) changed.push(await fileText(path, was, is));
  }
  return changed.length === 0 ? '  No byte is different.' : changed.join('\n');
}

/** The texts of a proposal that fits nothing: as they were proposed. */
export function proposedTexts({ files, edits }: SkillProposal): string {
  return [
    ...edits.map(({ path, old, new: by }) => paged(path, 'edit', [...marked('-', old), ...marked('+', by)])),
    ...files.map(({ path, text }) => paged(path, 'file', marked('+', text))),
  ].join('\n');
}

async function fileText(path: string, was: Uint8Array | undefined, is: Uint8Array | undefined): Promise<string> {
  const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
  const none = { text: '' };
  const old = was === undefined ? none : await shownBytes(path, was);
  const now = is === undefined ? none : await shownBytes(path, is);
  const lines =
    'text' in old && 'text' in now && old.text !== now.text
      ? patchOf(old.text, now.text)
      : [
          ...('text' in old ? marked('-', old.text) : [`  - ${old.about}`]),
          ...('text' in now ? marked('+', now.text) : [`  + ${now.about}`]),
        ];
  return paged(path, change, lines);
}

function patchOf(old: string, now: string): string[] {
  if (old === '' || now === '') return [...marked('-', old), ...marked('+', now)];
  const patch = createTwoFilesPatch('a', 'b', old, now, undefined, undefined, { context: 3, maxEditLength });
  if (patch === undefined) return [...marked('-', old), ...marked('+', now)];
  const lines = patch.split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('@@'))).flatMap((line) => (line === '' ? [] : [`  ${visible(line)}`]));
}

function marked(sign: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const isEnded = lines.at(-1) === '';
  return (isEnded ? lines.slice(0, -1) : lines).map((line) => `  ${sign}${visible(line)}`);
}

function paged(path: string, change: string, lines: readonly string[]): string {
  const pages = Math.max(1, Math.ceil(lines.length / linesOfPage));
  return Array.from({ length: pages }, (_, page) =>
    [
      `  == ${visible(path)} (${change})${pages === 1 ? '' : `, page ${page + 1} of ${pages}`}`,
      ...lines.slice(page * linesOfPage, (page + 1) * linesOfPage),
    ].join('\n'),
  ).join('\n');
}

/** What a terminal would not show, as its code. */
function visible(line: string): string {
  const hidden = new Set(hiddenCharacters(line).map(({ at }) => at));
  let at = 0;
  let result = '';
  for (const character of line) {
    const isHidden = hidden.has(at) || /[^\P{C}\t]|[\u2028\u2029]/u.test(character);
    result += isHidden ? `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>` : character;
    at += character.length;
  }
  return quoted(result);
}

/** A text that names no option which accepts something: nobody shall copy that from a quotation. */
export function quoted(text: string): string {
  return text.replace(/--(?=digest|accept)/g, '-<U+002D>');
}
