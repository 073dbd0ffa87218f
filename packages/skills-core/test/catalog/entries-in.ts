import { unescapeAttribute } from '../../src/prompt/escape.ts';

/** A skill as the text of a catalog shows it. */
export interface ShownEntry {
  readonly name: string;
  /** Empty if the skill is listed by its name alone. */
  readonly description: string;
}

/** Reads the list in the text of a catalog, written in XML or compactly. */
export function entriesIn(text: string): ShownEntry[] {
  const list = /<available_skills>\n([\s\S]*?)\n?<\/available_skills>/.exec(text)?.[1] ?? '';
  return list
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const match =
        /^<skill name="([^"]*)"(?:\/>|>(.*)<\/skill>)$/.exec(line) ??
        /^"([^"]*)"(?:: (.*))?$/.exec(line) ??
        /^([^:]*)(?:: (.*))?$/.exec(line);
      return { name: unescapeAttribute(match?.[1] ?? line), description: unescapeAttribute(match?.[2] ?? '') };
    });
}
