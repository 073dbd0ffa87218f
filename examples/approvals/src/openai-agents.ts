import { run, type Model } from '@openai/agents-core';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { emptySkillState, type SkillAnswer, type SkillQuestion, type Skillset } from '@repertoire/skills-core';

/**
 * Answers a message. Where a person must approve, the run ends with an interruption. The question
 * comes from a session of the skillset, which also records the answer.
 */
export async function answerWithOpenAiAgents(
  { skillset, model }: { readonly skillset: Skillset; readonly model: Model },
  text: string,
  person: (question: SkillQuestion) => Promise<SkillAnswer['answer']>,
): Promise<string> {
  const kept = { current: emptySkillState };
  const conversation = crypto.randomUUID();
  const agent = openAiAgentsSkills(skillset, { state: () => kept, conversation: () => conversation }).agent({ name: 'helper', model });
  let result = await run(agent, text);
  while (result.interruptions.length > 0) {
    const session = await skillset.open({ conversation });
    for (const item of result.interruptions) {
      const id = 'callId' in item.rawItem ? item.rawItem.callId : undefined;
      const call = { tool: item.name ?? '', input: JSON.parse(item.arguments ?? '{}') as unknown, id };
      const verdict = await session.judgeCall(kept.current, call);
      // What nobody is asked about any more was answered with another call. No other tool here needs approval.
      let isYes: boolean | undefined = verdict.decision !== 'denied';
      if (verdict.decision === 'needs-approval') {
        // The run has asked it already; this finds the record.
        const question = await session.approvals?.ask(kept.current, call);
        isYes = question !== undefined && (await session.approvals?.answer(question.id, { answer: await person(question) }));
      }
      if (isYes === true) result.state.approve(item);
      else result.state.reject(item);
    }
    result = await run(agent, result.state);
  }
  return result.finalOutput ?? '';
}
