import { testDefaults } from '../../../test/support/options-laws.ts';
import { fileSystemSettings } from '../src/file-system-skill-provider-options.ts';

const given = { roots: ['.'], now: () => 0 };
testDefaults('SRC-1: fileSystemSkillProvider', 'skill-fs', 'FileSystemSkillProviderOptions', (options) =>
  fileSystemSettings({ ...given, ...options }),
);
