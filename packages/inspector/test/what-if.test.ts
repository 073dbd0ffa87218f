import { describe, expect, it } from 'vitest';
import { replayRecording } from '@repertoire/inspector';
import { readRecording } from '../src/recording/read-recording.ts';
import { stepTurns } from '../src/recording/step-turns.ts';
import { firstChangedRequest, packReplay, unpackRequest } from '../src/replay/pack-replay.ts';
import { exampleSkills, lockedExamples } from './support/library.ts';
import { recordedConversation } from './support/conversation.ts';

const settings = { framework: 'ai-sdk' } as const;

async function skillMdOf(name: string): Promise<string> {
  const resource = await exampleSkills().readResource(name, 'SKILL.md');
  return new TextDecoder().decode(resource?.bytes);
}

describe('what if a skill had been different', () => {
  it('AUT-3: a changed body changes nothing before the request that first has it', async () => {
    const recording = readRecording(await recordedConversation());
    const before = packReplay(await replayRecording(await lockedExamples(), recording, { settings }));
    const skillMd = `${await skillMdOf('incident-report')}\nEnd with a haiku.\n`;
    const after = packReplay(
      await replayRecording(exampleSkills(), recording, { settings, overlay: { skill: 'incident-report', skillMd } }),
    );
    expect(firstChangedRequest(before, after)).toBe(3);
    expect(unpackRequest(after, 3)?.messages.at(-1)).toContain('End with a haiku.');
    expect(after.changed).toMatchObject([{ tool: 'load_skill', now: expect.stringContaining('haiku') }]);
    expect(before).toMatchObject({ compared: 3, changed: [] });
  });

  it('AUT-3: a changed description changes every request, and a skill that was never shown changes none', async () => {
    const recording = readRecording(await recordedConversation());
    const before = packReplay(await replayRecording(exampleSkills(), recording, { settings }));
    const play = async (skill: string, change: (text: string) => string) =>
      packReplay(
        await replayRecording(exampleSkills(), recording, { settings, overlay: { skill, skillMd: change(await skillMdOf(skill)) } }),
      );
    expect(firstChangedRequest(before, await play('changelog', (text) => text.replace('description:', 'description: Other.\nnote:')))).toBe(
      0,
    );
    expect(firstChangedRequest(before, await play('changelog', (text) => `${text}\nMore.`))).toBeNull();
  });

  it('AUT-3: a call that was given up is not compared with the answer of a later one of the same id', async () => {
    const input = (name: string) => [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'load_skill', input: { name } }];
    const output = { type: 'text', value: 'Not what it says now.' };
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: input('sql-tuning') },
      { role: 'user', content: 'Stop. The other one.' },
      { role: 'assistant', content: input('incident-report') },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'load_skill', output }] },
      { role: 'assistant', content: 'Done.' },
    ];
    const replay = await replayRecording(exampleSkills(), readRecording(JSON.stringify(messages)), { settings });
    expect(replay).toMatchObject({ compared: 1, changed: [{ turn: 3 }] });
  });

  it('AUT-3: a conversation that was made up never had other answers than those of now', async () => {
    const turns = stepTurns([
      { kind: 'say', text: 'Go' },
      { kind: 'load', skill: 'incident-report' },
    ]);
    const replay = await replayRecording(exampleSkills(), readRecording(JSON.stringify({ turns })), { settings });
    expect(replay).toMatchObject({ compared: 0, changed: [] });
    expect(JSON.stringify(replay.requests)).toContain('skill_content');
  });

  it('AUT-3: a text that is no skill is refused', async () => {
    const recording = readRecording(await recordedConversation());
    const overlay = { skill: 'changelog', skillMd: 'no frontmatter' };
    await expect(replayRecording(exampleSkills(), recording, { overlay })).rejects.toMatchObject({
      code: 'invalid-options',
      skill: 'changelog',
    });
  });

  it('AUT-3: each text of a replay is kept once', async () => {
    const replay = await replayRecording(exampleSkills(), readRecording(await recordedConversation()), { settings });
    const packed = packReplay(replay);
    expect(packed.requests.map((_, index) => unpackRequest(packed, index))).toEqual(
      replay.requests.map(({ system, messages, tools }) => ({ system, messages, tools })),
    );
    expect(new Set(packed.texts).size).toBe(packed.texts.length);
  });
});
