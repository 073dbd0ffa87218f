import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder of so many real skills, one folder each: those of the collections, and copies under other names where there are too few. A skill
 * that lies inside another is left out of the copy of that one.
 */
export function makeColdFolder(target: string, collections: string, count: number): void {
  const folders = globSync('**/SKILL.md', { cwd: collections })
    .map((file) => path.join(collections, path.dirname(file)))
    .sort();
  const isSkill = new Set(folders);
  for (let index = 0; index < count; index += 1) {
    const from = folders[index % folders.length] as string;
    const name = `${path.basename(from)}-${index}`;
    const to = path.join(target, name);
    cpSync(from, to, { recursive: true, filter: (inner) => inner === from || !isSkill.has(inner) });
    // Else most copies would be told as doubles, and listing them would measure that.
    const file = path.join(to, 'SKILL.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^name:.*$/m, `name: ${name}`));
  }
}
