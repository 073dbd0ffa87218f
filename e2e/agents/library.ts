import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSkillset, SkillError, type Skillset, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { wrapProvider } from '@repertoire/skills-core/provider';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';

/** Who asks. */
export interface Caller {
  readonly role: 'clerk' | 'guest';
}

/** A library on disk that can change, and whose source can be down. */
export interface Library {
  readonly folder: string;
  readonly skillset: Skillset<Caller>;
  readonly provider: SkillProvider;
  readonly diagnostics: SkillDiagnostic[];
  /** Whether the source rejects every call. */
  isDown: boolean;
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Options of {@link openLibrary}. */
export interface LibraryOptions {
  /** How many skills besides the four that tests are about. @default 0 */
  readonly more?: number | undefined;
  /** @default true */
  readonly trusted?: boolean | undefined;
}

export const refundText = `---
name: refunds
description: Gives money back. Use when a customer wants a refund.
tools: [issue_refund]
---

# Refunds

Read references/limits.md first. Above the limit, ask a person.
`;
export const limitsText = 'Clerks may refund up to 50 EUR.\nNothing else.\n';
export const scriptText = 'print(1)\n';
/** Bytes that are no text. */
export const stampBytes: Uint8Array = Uint8Array.from({ length: 300 }, (_, index) => (index * 7) % 256);

/** Four skills: one with files of all kinds, one that only clerks see, one that a person alone may start, one without files. */
const files: Readonly<Record<string, string | Uint8Array>> = {
  'refunds/SKILL.md': refundText,
  'refunds/references/limits.md': limitsText,
  'refunds/assets/stamp.bin': stampBytes,
  'refunds/scripts/run.py': scriptText,
  'salaries/SKILL.md': '---\nname: salaries\ndescription: Pays salaries. For clerks.\n---\n\nPay on the last day.\n',
  'audit/SKILL.md': '---\nname: audit\ndescription: Audits the books.\ndisable-model-invocation: true\n---\n\nAudit.\n',
  'greetings/SKILL.md': '---\nname: greetings\ndescription: Greets people. Use at the start.\n---\n\nSay good day.\n',
};

/** Opens a library in a new folder; disposing removes it. */
export async function openLibrary({ more = 0, trusted = true }: LibraryOptions = {}): Promise<Library & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-bridges-'));
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  for (let index = 0; index < more; index += 1) {
    await write(`more-${index}/SKILL.md`, `---\nname: more-${index}\ndescription: Does thing ${index}.\n---\n\nThing ${index}.\n`);
  }
  // A large library is looked at as users have it: from memory for a second.
  const disk = fileSystemSkillProvider({ roots: [folder], trusted, ...(more === 0 && { staleAfterMs: 0 }) });
  const ifUp = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    if (library.isDown) throw new SkillError('source-unavailable', 'The shelf is locked.');
    return answer();
  };
  const provider = wrapProvider(disk, {
    listSkills: (options) => ifUp(() => disk.listSkills(options)),
    getSkill: (name, options) => ifUp(() => disk.getSkill(name, options)),
    readResource: (name, path, options) => ifUp(() => disk.readResource(name, path, options)),
  });
  const diagnostics: SkillDiagnostic[] = [];
  const library: Library & AsyncDisposable = {
    folder,
    provider,
    diagnostics,
    isDown: false,
    skillset: createSkillset<Caller>({
      provider,
      gates: { tools: ['issue_refund'] },
      audience: { select: ({ name }, caller) => name !== 'salaries' || caller?.role === 'clerk' },
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    }),
    write,
    remove: (path) => rm(join(folder, path), { recursive: true }),
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return library;
}
