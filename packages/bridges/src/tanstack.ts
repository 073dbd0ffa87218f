// Anything added here is public API.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export {
  tanstackSkillSource,
  type TanstackScript,
  type TanstackSkillMetadata,
  type TanstackSkillSource,
} from './tanstack/tanstack-skill-source.ts';
