import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const subjects = [
  'invoices',
  'release notes',
  'travel plans',
  'incident reports',
  'database migrations',
  'press photos',
  'lesson plans',
  'site audits',
];
const verbs = ['Checks', 'Writes', 'Compares', 'Summarizes', 'Plans', 'Translates', 'Reviews', 'Sorts'];

/** Writes a frontmatter, without its delimiters. */
export type WriteFrontmatter = (name: string, description: string, index: number) => string;

/** Further files of a skill, by their paths. */
export type WriteFiles = (name: string, index: number) => Readonly<Record<string, string>>;

/**
 * Writes so many skills into a folder, always the same: a frontmatter with a description of about 250 characters, a body of 4 to 5 KB, and a reference
 * file in every fourth.
 *
 * @param frontmatter what stands between the delimiters. @default plain fields
 * @param files what lies beside. @default nothing
 */
export async function generateSkills(
  folder: string,
  count: number,
  frontmatter: WriteFrontmatter = plainFrontmatter,
  files: WriteFiles = () => ({}),
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const name = `skill-${String(index).padStart(5, '0')}`;
    const own = path.join(folder, name);
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, 'SKILL.md'), skillMd(name, index, frontmatter));
    if (index % 4 === 0) {
      await mkdir(path.join(own, 'references'));
      await writeFile(path.join(own, 'references', 'details.md'), `# Details\n\n${paragraph(index, 12)}\n`);
    }
    for (const [file, text] of Object.entries(files(name, index))) {
      await mkdir(path.dirname(path.join(own, file)), { recursive: true });
      await writeFile(path.join(own, file), text);
    }
  }
}

function skillMd(name: string, index: number, frontmatter: WriteFrontmatter): string {
  const subject = pick(subjects, index);
  const verb = pick(verbs, index * 5 + 3);
  const description =
    `${verb} ${subject} number ${index} step by step, keeps to the rules of the house, and asks where something is not clear. ` +
    `Use when somebody mentions ${subject}, hands over a file that belongs to them, or wants to know what was decided about them last time.`;
  const body = Array.from({ length: 9 + (index % 3) }, (_, part) => `## Part ${part + 1}\n\n${paragraph(index + part, 8)}\n`).join('\n');
  // As real skills do: some readers list only files that the instructions name.
  const reference = index % 4 === 0 ? 'Read [the details](references/details.md) first.\n\n' : '';
  return `---\n${frontmatter(name, description, index).trimEnd()}\n---\n\n# ${verb} ${subject}\n\n${reference}${body}`;
}

function plainFrontmatter(name: string, description: string, index: number): string {
  const fields = [`name: ${name}`, `description: ${description}`, 'license: MIT'];
  if (index % 2 === 0) fields.push('metadata:', '  author: the benchmarks', `  version: "1.${index % 10}"`);
  if (index % 5 === 0) fields.push('allowed-tools: Read Grep Bash(git:*)');
  return fields.join('\n');
}

function paragraph(seed: number, sentences: number): string {
  return Array.from(
    { length: sentences },
    (_, index) => `${pick(verbs, seed + index)} the ${pick(subjects, seed * 3 + index)} before going on.`,
  ).join(' ');
}

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] as string;
}
