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
  const agent = openAiAgentsSkills(skillset, { state: () => kept }).agent({ name: 'helper', model });
  let result = await run(agent, text);
  while (result.interruptions.length > 0) {
    const session = await skillset.open();
    for (const item of result.interruptions) {
      const id = 'callId' in item.rawItem ? item.rawItem.callId : undefined;
      const call = { tool: item.name ?? '', input: JSON.parse(item.arguments ?? '{}') as unknown, id };
      const verdict = await session.judgeCall(kept.current, call);
      // What nobody is asked about any more was answered with another call. No other tool here needs approval.
      let isYes: boolean | undefined = verdict.decision !== 'denied';
      if (verdict.decision === 'needs-approval') {
        const { question } = verdict;
        isYes = await session.approvals?.answer(question, { question: question.id, answer: await person(question) }, id);
      }
      if (isYes === true) result.state.approve(item);
      else result.state.reject(item);
    }
    result = await run(agent, result.state);
  }
  return result.finalOutput ?? '';
}
