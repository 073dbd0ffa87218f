import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Library, Peer } from '../../src/peer.ts';

/** The least that each row can cost: the same files, without looking at what is in them more than is said here. */
export async function importPeer(): Promise<Peer> {
  // An empty module.
  const empty = 'data:text/javascript,';
  await import(empty);
  return {
    async open(folder: string): Promise<Library> {
      // Find each SKILL.md, open it, read 4 KiB, close it.
      const files = findSkillFiles(folder);
      const buffer = Buffer.allocUnsafeSlow(4_096);
      const heads = files.map((file) => {
        const descriptor = openSync(file, 'r');
        const size = readSync(descriptor, buffer, 0, buffer.length, 0);
        closeSync(descriptor);
        return buffer.toString('latin1', 0, size);
      });
      return {
        skills: files.length,
        // Find the files and look at the time of each.
        listAgain: async () => findSkillFiles(folder).map((file) => statSync(file).mtimeMs),
        // Names and descriptions, one line each.
        catalog: async () => heads.map((head) => `- ${field(head, 'name')}: ${field(head, 'description')}`).join('\n'),
        load: async (name) => readFileSync(path.join(folder, name, 'SKILL.md'), 'utf8'),
        read: async (name, file) => readFileSync(path.join(folder, name, file), 'utf8'),
      };
    },
    async openSearch(folder) {
      const skills = findSkillFiles(folder).map((file) => {
        const text = readFileSync(file, 'utf8');
        return { name: field(text, 'name'), words: wordsOf(`${field(text, 'name')} ${field(text, 'description')}`) };
      });
      // How many words of the request stand in name and description.
      return async (request, limit) => {
        const asked = [...wordsOf(request)];
        return skills
          .map(({ name, words }) => ({ name, score: asked.filter((word) => words.has(word)).length }))
          .toSorted((a, b) => b.score - a.score)
          .slice(0, limit)
          .map(({ name }) => name);
      };
    },
  };
}

function findSkillFiles(folder: string): readonly string[] {
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (entry.name === 'SKILL.md') found.push(`${next}/${entry.name}`);
      else if (entry.isDirectory()) folders.push(`${next}/${entry.name}`);
    }
  }
  return found;
}

function field(text: string, name: string): string {
  const from = text.indexOf(`\n${name}:`) + name.length + 2;
  return text.slice(from, text.indexOf('\n', from)).trim();
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu));
}
