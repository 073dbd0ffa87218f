// Shared by the tests of this repository. Any release may change or remove it.
export type { AdapterContext, AdapterMessage, AdapterModelStep, AdapterTool, GivenToModel } from './adapter/adapter-under-test.ts';
export { conversationOf } from './adapter/parity/conversation.ts';
export { inCodeLibrary, libraries, type ParityLibrary } from './adapter/parity/parity-library.ts';
export {
  basePrompt,
  toolsOfSkills,
  context,
  hostTools,
  parityOptions,
  restore,
  runFork,
  type ParityVariant,
} from './adapter/parity/parity-world.ts';
export { availableTools, playPlain, playReference, type ModelCall } from './adapter/parity/plain-loop.ts';
export { playConversation } from './adapter/parity/play-conversation.ts';
