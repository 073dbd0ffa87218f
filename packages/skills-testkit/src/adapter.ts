// Anything added here is public API.
export type {
  AdapterContext,
  AdapterConversation,
  AdapterMessage,
  AdapterModelStep,
  AdapterSetup,
  AdapterTool,
  GivenToModel,
  SkillAdapterUnderTest,
} from './adapter/adapter-under-test.ts';
export { skillAdapterCases, type SkillAdapterCase } from './adapter/skill-adapter-cases.ts';
