import { pathToFileURL } from 'node:url';
import { SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { zipOf } from '../../skill-http/test/support/archives.ts';
import { filesOfLibrary, inParts, ofCode, testEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';
import { openArchive } from '../src/source/open-archive.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const options = { ...ofCode, hasVersions: false };

testEveryField(
  'AUT-1: an archive',
  async (library) => {
    const folder = await temporaryFolder({ 'all.zip': zipOf(await filesOfLibrary(library)) });
    return await openArchive(folder.at('all.zip'), 'archive');
  },
  options,
);

for (const more of [[], ['--split']])
  testEveryField(
    `AUT-1: a bundle ${more.join(' ')}`,
    async (library): Promise<SkillProvider> => {
      const parts = inParts(await filesOfLibrary(library));
      const folder = await temporaryFolder();
      for (const [part, files] of parts)
        await folder.write(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${part}/${path}`, bytes])));
      const { code, stderr } = await runCli(folder.path, ['bundle', ...parts.map(([part]) => part), '--out', 'x.mjs', ...more]);
      if (code !== 0) throw new Error(stderr);
      const { skills } = (await import(pathToFileURL(folder.at('x.mjs')).href)) as { readonly skills: readonly SkillDefinition[] };
      return new SkillRegistry({ skills });
    },
    options,
  );
