import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { scriptedModel as aiSdkModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, jsonSchema, dynamicTool } from 'ai';
import { readRecording } from '../src/recording/read-recording.ts';
import { replayRecording } from '../src/replay/replay-recording.ts';
import { skillsetOf } from '../src/prompt/prompt-settings.ts';
import { randomConversation } from './support/random-conversation.ts';
import { exampleSkills, lockedExamples } from './support/library.ts';
const live = exampleSkills();
const locked = await lockedExamples();
for (let seed = 0; seed < 500; seed++) {
  const c = randomConversation(seed, 'ai-sdk');
  const t = performance.now();
  const skillset = skillsetOf(live, c.settings);
  const host = Object.fromEntries(c.tools.map(({name,description,inputSchema})=>[name, dynamicTool({description, inputSchema: jsonSchema(inputSchema as never), execute: async (i)=> name==='broken' ? (()=>{throw new Error('x')})() : JSON.stringify(i)})]));
  const model = aiSdkModel(c.runs.flatMap(r=>r.turns)); const messages: any[] = [];
  for (const {user,turns} of c.runs) { const skills = await aiSdkSkills(skillset,{tools:host,gate:c.settings.gate}); messages.push({role:'user',content:user}); const r = await generateText({model,messages,stopWhen:isStepCount(turns.length),...skills.agentSettings({instructions:c.settings.instructions})}); messages.push(...r.responseMessages); }
  const t2 = performance.now();
  const r = await replayRecording(locked, readRecording(JSON.stringify({messages, tools:c.tools, instructions:c.settings.instructions})), {settings:c.settings});
  if (performance.now()-t > 150 || seed % 50 === 0) console.log(seed, model.calls.length, r.requests.length, Math.round(t2-t), Math.round(performance.now()-t2), c.settings.refreshAfter, c.settings.maxTokens, JSON.stringify(messages).length);
}
