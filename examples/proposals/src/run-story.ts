import path from 'node:path';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { skillProposals } from '@repertoire/skill-proposals';
import { folderProposalStore } from '@repertoire/skill-proposals/node';
import { createSkillset } from '@repertoire/skills-core';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { proposalsCommand, reviewAsAda, type Reviewed } from './review.ts';
import { standInModel } from './stand-in-model.ts';

/** What happens in the story, in order. */
export type StoryEvent =
  | {
      readonly type: 'answered';
      readonly conversation: string;
      readonly request: string;
      readonly answer: string;
      readonly used: string | null;
    }
  | { readonly type: 'waits'; readonly ids: readonly string[] }
  | { readonly type: 'checked'; readonly code: number; readonly allows: number; readonly tokens: Reviewed['check']['tokens'] }
  | { readonly type: 'reviewed'; readonly decision: string };

const report = (week: number): string => `Write the weekly report of week ${week}.`;

/** Plays the story in a folder, which has the skills and the proposals afterwards. */
export async function runStory(folder: string, tell: (event: StoryEvent) => void): Promise<void> {
  const provider = fileSystemSkillProvider({ roots: [{ path: path.join(folder, 'skills'), optional: true }], staleAfterMs: 0 });
  const store = folderProposalStore(path.join(folder, 'proposals'));
  const skillset = createSkillset<{ readonly thread: string }>({
    provider,
    proposals: skillProposals({ store, from: ({ thread }) => ({ conversation: thread }) }),
  });

  const converse = async (conversation: string, requests: readonly string[]): Promise<void> => {
    const skills = await aiSdkSkills(skillset, { context: { thread: conversation } });
    const messages: ModelMessage[] = [];
    for (const request of requests) {
      messages.push({ role: 'user', content: request });
      const result = await generateText({ model: standInModel(), messages, stopWhen: isStepCount(4), ...skills.agentSettings() });
      messages.push(...result.response.messages);
      const used = result.steps.flatMap(({ toolCalls }) => toolCalls).map(({ toolName }) => toolName);
      tell({ type: 'answered', conversation, request, answer: result.text, used: used[0] ?? null });
    }
    await skills.close();
  };

  await converse('monday', [report(45), report(46), report(47)]);
  tell({ type: 'waits', ids: await store.list() });
  await converse('tuesday', [report(48)]);

  for (const id of await store.list()) {
    const { code } = await proposalsCommand(folder, 'check', id);
    const { check } = await proposalsCommand<Reviewed>(folder, 'show', id);
    tell({ type: 'checked', code, allows: check.allows.length, tokens: check.tokens });
    tell({ type: 'reviewed', decision: await reviewAsAda(folder, id) });
  }
  await converse('wednesday', [report(49)]);
}
