import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { expect, it } from 'vitest';
import { acceptProposal, proposedContent, statusOf, undoProposal } from '../src/index.ts';
import { createSkillProposal } from '../src/proposal/create-skill-proposal.ts';
import { folderProposalStore } from '../src/node.ts';
import { currentSkill } from '../src/review/proposed-content.ts';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { isTried } from '../../../test/support/property-runs.ts';
import { libraryFolder, skillMd, temporaryFolder } from './support/library.ts';

const program = await bundleProgram(path.join(import.meta.dirname, 'programs/accept.ts'));

// Each round is a process, and there are some twenty of each kind. Both kinds write a record and the library by the same steps, so every
// other one is tried of each, and all by `pnpm fuzz --properties 1`.
it.each(['accept', 'undo'] as const)(
  'PRP-5: killed at any step of %s, the library is the old or the new one, and the same call ends the work',
  async (what) => {
    let died = 0;
    const seen = new Set<string>();
    for (let stopAt = 1; ; stopAt += 1) {
      if (!isTried({ last: what === 'accept' ? 0 : 1, size: 2 }, stopAt)) continue;
      const root = await libraryFolder({
        'refunds/SKILL.md': skillMd('refunds', 'Ask first. Then pay.'),
        'refunds/references/a.md': 'one\n',
      });
      const folder = path.join(await temporaryFolder(), 'proposals');
      const store = folderProposalStore(folder);
      const provider = () => fileSystemSkillProvider({ roots: [root], writable: true });
      const old = await currentSkill(provider(), 'refunds');
      if (old === null) throw new Error('There is no skill.');
      const proposal = await createSkillProposal({
        skill: 'refunds',
        base: { source: 'fs', place: 'skills/refunds', version: null, ...old },
        files: [{ path: 'references/b.md', text: 'two\n' }],
        edits: [{ path: 'SKILL.md', old: 'Then pay.', new: 'Then wait.' }],
        reason: 'x',
        created: new Date(0),
      });
      await store.add(proposal);
      const { content } = (await proposedContent(provider(), proposal)).after;
      if (what === 'undo') await acceptProposal(store, provider(), proposal.id, { by: 'ada', content });
      const run = spawnSync(process.execPath, [program, root, folder, proposal.id, what === 'undo' ? old.content : content, what], {
        env: { ...process.env, STOP_AT: String(stopAt), NODE_OPTIONS: '' },
        encoding: 'utf8',
      });
      const now = (await currentSkill(provider(), 'refunds'))?.content ?? 'none';
      seen.add(now);
      expect([old.content, content]).toContain(now);
      if (run.signal !== 'SIGKILL') {
        expect(run.stderr).toBe('');
        expect(run.stdout).toMatch(/^done/);
        break;
      }
      died += 1;
      const record = await store.read(proposal.id);
      const isDone = record !== null && statusOf(record) === (what === 'accept' ? 'accepted' : 'undone');
      if (!isDone && what === 'accept') await acceptProposal(store, provider(), proposal.id, { by: 'ada', content });
      if (!isDone && what === 'undo') await undoProposal(store, provider(), proposal.id, { by: 'ada', content: old.content });
      expect((await currentSkill(provider(), 'refunds'))?.content).toBe(what === 'accept' ? content : old.content);
    }
    expect(died).toBeGreaterThan(5);
    // Both contents were met: the kills lie before and behind the moment of the change.
    expect(seen.size).toBe(2);
  },
);
