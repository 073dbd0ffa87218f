// Anything added here is public API. The one entry point that brings the YAML parser along.
export {
  writableStorageSkillProvider,
  type WritableStorageSkillProvider,
  type WritableStorageSkillProviderOptions,
} from './write/writable-storage-skill-provider.ts';
