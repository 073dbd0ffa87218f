// Accepts a proposal in a process of its own, which dies at the call of the file system that `STOP_AT` counts.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const stopAt = Number(process.env['STOP_AT']);
let calls = 0;
const step = (): void => {
  calls += 1;
  if (calls === stopAt) process.kill(process.pid, 'SIGKILL');
};
for (const name of ['rename', 'mkdir', 'rm', 'rmdir', 'writeFile', 'link', 'open', 'cp'] as const) {
  const real = promises[name] as (...parameters: unknown[]) => Promise<unknown>;
  (promises as unknown as Record<string, unknown>)[name] = async (...parameters: unknown[]) => {
    // Behind a call, the disk is as it is before the next one.
    step();
    return await real(...parameters);
  };
}
void fs;
syncBuiltinESMExports();

const { fileSystemSkillProvider } = await import('@repertoire/skill-fs');
const { acceptProposal, undoProposal } = await import('../../src/index.ts');
const { folderProposalStore } = await import('../../src/node.ts');
const [root = '', folder = '', id = '', content = '', what = 'accept'] = process.argv.slice(2);
const provider = fileSystemSkillProvider({ roots: [root], writable: true });
const store = folderProposalStore(folder);
if (what === 'accept') await acceptProposal(store, provider, id, { by: 'ada', content });
else await undoProposal(store, provider, id, { by: 'ada', content });
step();
process.stdout.write(`done ${calls}`);
