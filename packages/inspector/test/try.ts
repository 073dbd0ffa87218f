import { readRecording } from '../src/recording/read-recording.ts';
import { replayRecording } from '../src/replay/replay-recording.ts';
import { exampleSkills } from './support/library.ts';
const rec = readRecording(JSON.stringify([{role:'user',content:'slow query'},
 {role:'assistant',content:[{type:'text',text:'ok'},{type:'tool-call',toolCallId:'a',toolName:'load_skill',input:{name:'sql-tuning'}}]},
 {role:'tool',content:[{type:'tool-result',toolCallId:'a',toolName:'load_skill',output:{type:'text',value:'x'}}]},
 {role:'assistant',content:[{type:'tool-call',toolCallId:'b',toolName:'search',input:{q:1}}]},
 {role:'tool',content:[{type:'tool-result',toolCallId:'b',toolName:'search',output:{type:'text',value:'found'}}]},
 ]));
for (const framework of ['core','ai-sdk','langchain'] as const) {
  const t=performance.now();
  const r = await replayRecording(exampleSkills(), rec, {settings:{framework}});
  console.log(framework, r.requests.map(q=>[q.system.length,q.messages.map(m=>m.slice(0,150)),q.tools.length,q.turn]), r.compared, r.changed.length, performance.now()-t);
}
