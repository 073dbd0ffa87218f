import { filesOfLibrary, inParts, ofCode, testEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';
import { fileSystemSkillProvider } from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

testEveryField(
  'SRC-1: folders',
  async (library) => {
    const parts = inParts(await filesOfLibrary(library));
    const folders = await Promise.all(parts.map(async ([, files]) => (await temporaryFolder(files)).path));
    return fileSystemSkillProvider({ roots: folders });
  },
  { ...ofCode, hasVersions: false },
);
