import { compareText } from '@repertoire/skills-core/internal';
import { textOf } from '../proposal/apply-change.ts';
import type { SkillFilesByPath } from '../proposal/skill-proposal.ts';

/** A line of a text file. A long one is given in parts, so that patterns see bounded texts. */
export interface FileLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const longest = 1_000;
const overlap = 200;
/** Texts beyond this are not looked into; a proposal cannot add so much. */
const maxBytes = 1_048_576;

/** Every line of every text file, in the order of paths. */
export function* linesOf(files: SkillFilesByPath): Generator<FileLine> {
  for (const [path, bytes] of Object.entries(files).sort(([a], [b]) => compareText(a, b))) {
    const text = bytes.length > maxBytes ? null : textOf(bytes);
    if (text === null) continue;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      for (let at = 0; at === 0 || at < line.length; at += longest - overlap) {
        yield { path, line: index + 1, text: line.slice(at, at + longest) };
        if (at + longest >= line.length) break;
      }
    }
  }
}
