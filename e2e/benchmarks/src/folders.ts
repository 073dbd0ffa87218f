import { existsSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeColdFolder } from '../../../benchmarks/src/cold-folder.ts';
import { filesOfOthers, frontmatterOfOthers, openAiSettings } from '../../../benchmarks/src/frontmatter-of-others.ts';
import { generateSkills } from '../../../benchmarks/src/generate-skills.ts';

/** A folder of skills that contenders are measured on. */
export interface SkillFolder {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  /** Names of its skills, which are also those of their folders. */
  readonly names: readonly string[];
  /** Skills to load. */
  readonly loads: readonly string[];
  /** Files to read: a name and a path. */
  readonly files: readonly (readonly [string, string])[];
  /** How long its rounds may take together. */
  readonly seconds: number;
  readonly warmMs: number;
  /** The folder to judge by how long a listing will take, and how many times larger this one is. */
  readonly smaller?: { readonly id: string; readonly times: number };
}

/** Real skills, where they are beside the project. */
export const corpusFolder: string = path.resolve(import.meta.dirname, '../../../../shared/corpus');

/** Writes the folders that rows are measured on. */
export async function makeFolders(workspace: string, isQuick: boolean): Promise<readonly SkillFolder[]> {
  const sizes = isQuick ? [10, 100] : [10, 100, 1_000, 10_000];
  // All rows together take about ten minutes, and a few more on a busy computer: two rounds are the least, and take most of these seconds there.
  const secondsOf: Readonly<Record<number, number>> = { 10: 12, 100: 18, 1_000: 45, 10_000: 45 };
  const folders: SkillFolder[] = [];
  for (const size of sizes) {
    const place = path.join(workspace, `generated-${size}`);
    await generateSkills(place, size);
    const smaller = size === 10_000 ? { id: 'generated-1000', times: 10 } : undefined;
    const title = `${size.toLocaleString('en')} generated`;
    folders.push(describe(`generated-${size}`, title, place, secondsOf[size] ?? 0, size === 10_000 ? 0 : 300, smaller));
  }
  // Generated, with frontmatter in the forms of libraries that nobody tuned on: so a reader that is quick on one collection alone shows.
  const others = isQuick ? 50 : 1_000;
  await generateSkills(path.join(workspace, 'others'), others, frontmatterOfOthers, filesOfOthers);
  folders.push(describe('others', `${others.toLocaleString('en')} other people's`, path.join(workspace, 'others'), 35, 300));
  const withSettings = path.join(workspace, 'settings');
  await generateSkills(withSettings, others, frontmatterOfOthers, (name) => ({ 'agents/openai.yaml': openAiSettings(name) }));
  folders.push(describe('settings', `${others.toLocaleString('en')} with settings of other clients`, withSettings, 25, 300));
  if (existsSync(corpusFolder)) {
    const count = isQuick ? 50 : 1_000;
    const place = path.join(workspace, 'real');
    mkdirSync(place);
    makeColdFolder(place, corpusFolder, count);
    folders.push(describe('real', `${count.toLocaleString('en')} published`, place, 50, 300));
  }
  return folders;
}

function describe(
  id: string,
  title: string,
  place: string,
  seconds: number,
  warmMs: number,
  smaller?: SkillFolder['smaller'],
): SkillFolder {
  const names = readdirSync(place).toSorted();
  // Spread over the whole folder.
  const some = <Item>(items: readonly Item[], count: number): Item[] =>
    items.filter((_, index) => index % Math.max(1, Math.ceil(items.length / count)) === 0);
  const files = globSync('*/references/*.md', { cwd: place })
    .toSorted()
    .map((file) => [path.dirname(path.dirname(file)), path.posix.join('references', path.basename(file))] as const);
  // A skill that only people may start is none that a model loads.
  const isLoadable = (name: string): boolean =>
    !/^disable-model-invocation:\s*true/m.test(readFileSync(path.join(place, name, 'SKILL.md'), 'utf8'));
  const loads = some(names.length > 2_000 ? names : names.filter(isLoadable), 21);
  return {
    id,
    title,
    path: place,
    names,
    loads,
    files: some(files, 11),
    seconds,
    warmMs,
    ...(smaller === undefined ? {} : { smaller }),
  };
}
