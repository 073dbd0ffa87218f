import { filesOfLibrary, ofCode, testEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';
import { memoryPluginFiles, pluginProvider } from '../src/index.ts';
import { manifestOf } from './support/plugins.ts';

testEveryField(
  'PLG-1: plugins',
  async (library) => {
    const skills = Object.entries(await filesOfLibrary(library)).map(([path, bytes]) => [`skills/${path}`, bytes] as const);
    const files = memoryPluginFiles({ 'plugin.json': manifestOf('library'), ...Object.fromEntries(skills) });
    return pluginProvider({ roots: [{ files, name: 'memory' }] });
  },
  { ...ofCode, hasVersions: false },
);
