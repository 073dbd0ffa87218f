import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSearchCorpus } from '../../../benchmarks/src/search/search-corpus.ts';

/** Prompts, and the skill that each was written for. */
export interface SearchLibrary {
  readonly about: string;
  readonly prompts: readonly { readonly prompt: string; readonly skill: string }[];
}

const tasks = [
  ['Drafts', 'write up'],
  ['Reviews', 'look over'],
  ['Migrates', 'move'],
  ['Audits', 'check'],
  ['Summarizes', 'give me the short version of'],
  ['Schedules', 'plan'],
  ['Translates', 'put into French'],
  ['Archives', 'store away'],
] as const;
const subjects =
  'invoices contracts payrolls tickets dashboards pipelines datasets podcasts recipes menus surveys budgets forecasts warranties permits leases patents grants syllabi exams transcripts playlists blueprints shipments'.split(
    ' ',
  );
const places =
  'hospital bakery airport museum laboratory vineyard shipyard theater newsroom warehouse embassy orchestra observatory brewery courthouse'.split(
    ' ',
  );

/** Writes the published skills of the corpus, one folder each, whose evaluation prompts their authors wrote. */
export function writeCorpusLibrary(folder: string, corpus: string): SearchLibrary {
  const { skills, prompts } = readSearchCorpus(corpus);
  const folders = new Map<string, string>();
  for (const { metadata, body } of skills) {
    const name = metadata.name.replaceAll(/[^\p{L}\p{N}._-]/gu, '-');
    folders.set(metadata.name, name);
    writeSkill(folder, name, metadata.description, body);
  }
  return {
    about: `${prompts.length} prompts that people wrote for the skills of three public collections, in a library of ${skills.length} published skills`,
    // Peers are asked for the one skill that fits; prompts without one are ours alone.
    prompts: prompts.flatMap(({ prompt, skill }) => (skill === null ? [] : [{ prompt, skill: folders.get(skill) ?? skill }])),
  };
}

/** Writes generated skills, and prompts in which words of the description and of the body are said another way. The same every time. */
export function writeGeneratedLibrary(folder: string, count: number): SearchLibrary {
  const prompts: { prompt: string; skill: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const [verb, said] = tasks[index % tasks.length] ?? tasks[0];
    const subject = subjects[Math.floor(index / tasks.length) % subjects.length] ?? '';
    const place = places[Math.floor(index / (tasks.length * subjects.length)) % places.length] ?? '';
    const name = `${verb.toLowerCase()}-${subject}-${place}-${index}`;
    const body = `# ${verb} ${subject}\n\n## Where\n\nFor the ${place} alone: people say “${said} our ${subject}”. Ask who signs, then work step by step.\n`;
    writeSkill(folder, name, `${verb} ${subject}. Use when somebody hands over ${subject}.`, body);
    if (index % 7 === 0) prompts.push({ prompt: `Could you ${said} the ${subject} that the ${place} sent us yesterday?`, skill: name });
  }
  return { about: `${prompts.length} generated prompts in a library of ${count} generated skills`, prompts };
}

function writeSkill(folder: string, name: string, description: string, body: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  // JSON is YAML, so no text can break out of its field.
  const text = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;
  writeFileSync(path.join(folder, name, 'SKILL.md'), text);
}
