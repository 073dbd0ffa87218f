// Anything added here is public API.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export {
  lazySandboxSkills,
  sandboxSkillDescriptors,
  type SandboxFile,
  type SandboxFolder,
  type SandboxLazySkills,
  type SandboxSkillDescriptor,
} from './openai-sandbox/sandbox-skills.ts';
