import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';

export const model = (): ScriptedModel => scriptedModel([{ error: new Error('The quota is used up.') }]);
