import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';

const makeModel = (): ScriptedModel => scriptedModel([{ error: new Error('The quota is used up.') }]);

export { makeModel as default };
