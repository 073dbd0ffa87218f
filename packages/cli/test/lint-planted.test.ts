import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { plantedKinds, type PlantedSkill } from './planted-problems.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const goods = ['copper', 'linen', 'walnut', 'saffron', 'marble', 'rubber', 'barley', 'cobalt', 'velvet', 'ginger'];
const places = ['harbor', 'station', 'airfield', 'quarry', 'orchard', 'foundry', 'mill', 'market', 'depot', 'brewery'];
const all = plantedKinds.flatMap(({ kind, rules, plant }) => plant.map((change) => ({ kind, rules, change })));

describe('AUT-8: planted problems', () => {
  it('AUT-8: one command finds at least 90 of 100, of twenty kinds, and nothing before they were planted', async (context) => {
    context.skip(process.platform === 'win32', 'files have no mode on Windows, and some problems are about modes');
    expect([plantedKinds.length, all.length]).toEqual([20, 100]);
    expect(await findings(await libraryOf(() => undefined))).toEqual([]);

    const found = await findings(await libraryOf((skill, index) => all[index]?.change(skill)));
    const missed = all.filter(({ rules }, index) => !found.some((one) => one.folder === folderOf(index) && rules.includes(one.code)));
    expect(missed.map(({ kind }) => kind)).toEqual(['tool that does not exist']);
    const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/reference/lint-precision.md'), 'utf8');
    expect(page.replace(/\s+/g, ' ')).toContain(`finds ${100 - missed.length} of these 100`);
  });
});

/** A skill for each problem, and one that nothing is planted into. */
async function libraryOf(change: (skill: PlantedSkill, index: number) => void): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  const other = plain(all.length);
  for (let index = 0; index <= all.length; index += 1) {
    const skill = plain(index);
    if (index < all.length) change(skill, index);
    const name = skill.name.replace('{other}', other.name);
    const front = [`name: ${name}`, `description: ${skill.description.replace('{other}', other.description)}`, ...skill.fields].join('\n');
    await folder.write({ [`${folderOf(index)}/SKILL.md`]: `---\n${front}\n---\n\n${skill.body.join('\n\n')}\n` });
    // Modes are set after the file is there.
    for (const [file, content] of Object.entries(skill.files)) {
      const { text, mode } = typeof content === 'string' ? { text: content, mode: 0o644 } : content;
      await folder.write({ [`${folderOf(index)}/${file}`]: text });
      await chmod(folder.at(folderOf(index), file), mode);
    }
  }
  return folder;
}

function plain(index: number): PlantedSkill {
  const [good, place] = [goods[index % 10] ?? '', places[Math.floor(index / 10)] ?? 'lighthouse'];
  return {
    name: folderOf(index),
    description: `Ships ${good} from the ${place} number ${index}. Use when ${good} leaves ${place} ${index}.`,
    fields: [],
    body: [`# ${good} of the ${place}`, `Weigh the ${good}. Write the weight on the label.`],
    files: {},
  };
}

/** The first is named for the one that has no problem, so that others are compared with it. */
function folderOf(index: number): string {
  return index === all.length ? 'a-lighthouse' : `ship-${goods[index % 10]}-${places[Math.floor(index / 10)]}`;
}

async function findings(folder: TemporaryFolder): Promise<{ readonly folder: string; readonly code: string }[]> {
  const { stdout } = await runCli(folder.path, ['lint', '.', '--json']);
  const { findings: found } = JSON.parse(stdout) as { findings: { path: string; code: string }[] };
  return found.map(({ path: file, code }) => ({ folder: file.split(path.sep)[0] ?? '', code }));
}
