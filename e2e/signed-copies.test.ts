import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpSkillProvider } from '@repertoire/skill-http';
import { exportStatic } from '@repertoire/skill-http/node';
import { publishSkillsToStorage, storageSkillProvider } from '@repertoire/skill-storage';
import { verifiedProvider } from '@repertoire/skill-trust/provider';
import type { SkillProvider } from '@repertoire/skills-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryStore } from '../packages/skill-storage/test/support/memory-store.ts';
import { now, pem } from '../packages/skill-trust/test/support/certificates.ts';
import { folderSource } from '../packages/skill-trust/test/support/folder-source.ts';
import { publisher, signatureName, skillFiles } from '../packages/skill-trust/test/support/signed-skills.ts';

/** Copies all skills of a source to another place, and reads them from there. */
const copies: Readonly<Record<string, (provider: SkillProvider) => Promise<SkillProvider>>> = {
  'the web': async (provider) => {
    const directory = await mkdtemp(join(tmpdir(), 'repertoire-copies-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await exportStatic(provider, directory);
    return httpSkillProvider({
      url: 'https://skills.example.com',
      fetch: async ({ url }) => {
        const bytes = await readFile(join(directory, new URL(url).pathname)).catch(() => null);
        return bytes === null ? new Response(null, { status: 404 }) : new Response(new Uint8Array(bytes));
      },
    });
  },
  'a store': async (provider) => {
    const store = new MemoryStore();
    await publishSkillsToStorage(store, provider);
    return storageSkillProvider({ store });
  },
};

describe.each(Object.entries(copies))('GOV-12: signatures published to %s', (_, copy) => {
  it.each([
    ['a source that lists them', (provider: SkillProvider) => provider],
    [
      'a source that verified them, and does not list them',
      (provider: SkillProvider, root: string) => verifiedProvider(provider, { roots: [root], at: now }),
    ],
  ])('GOV-12: are the same bytes, and verify there, from %s', async (_name, of) => {
    const own = await publisher();
    const files = await own.sign(skillFiles());
    await using source = await folderSource({ billing: files });
    const root = pem(own.root);
    const copied = await copy(of(source.provider, root));
    const signature = await copied.readResource('billing', signatureName);
    expect(Buffer.from(signature?.bytes ?? [])).toEqual(Buffer.from(files.get(signatureName) ?? []));
    const verified = verifiedProvider(copied, { roots: [root], at: now });
    expect((await verified.getSkill('billing'))?.resources.map(({ path }) => path).toSorted()).toEqual(
      [...files.keys()].filter((path) => path !== 'SKILL.md' && path !== signatureName).toSorted(),
    );
  });
});
