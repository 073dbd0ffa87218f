import { testDefaults } from '../../../test/support/options-laws.ts';
import { storageSettings } from '../src/provider/storage-skill-provider-options.ts';
import { MemoryStore } from './support/memory-store.ts';

const store = new MemoryStore();
testDefaults('SRC-9: storageSkillProvider', 'skill-storage', 'StorageSkillProviderOptions', (options) => {
  const { store: opened, ...settings } = storageSettings({ store, ...options });
  return { ...settings, current: opened.keys.current };
});
