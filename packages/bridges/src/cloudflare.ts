// Anything added here is public API.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export {
  cloudflareSkillSource,
  type CloudflareListedSkill,
  type CloudflareResource,
  type CloudflareResult,
  type CloudflareSkillSource,
  type CloudflareSkillSourceOptions,
} from './cloudflare/cloudflare-skill-source.ts';
