import { scriptedModel, type ScriptedModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';

/**
 * Stands in for a language model if there is no key for one. It loads a skill whose words occur,
 * follows the two skills of this example, and answers in fixed sentences. It gets exactly what a
 * model would get.
 */
export function standInModel(): ScriptedModel {
  return scriptedModel((call) => {
    const said = lastWords(call);
    const read = resultsOf(call).join('\n');
    const one = (toolName: string, input: unknown) => ({ toolCalls: [{ toolName, input }] });
    if (/refund|money|\/billing/i.test(said)) {
      const order = /\b[A-Z]-\d+\b/.exec(said)?.[0] ?? 'A-17';
      const amount = /\d+/.exec(said.replace(order, ''))?.[0] ?? '40';
      const refund = one('process_refund', { order, amount: Number(amount) });
      if (read.includes('refunded')) return { text: `I have refunded ${amount} for order ${order}.` };
      if (/straight away/i.test(said) && read === '') return refund;
      if (!read.includes('skill_content') && !read.includes('already active')) return one('load_skill', { name: 'billing' });
      if (!read.includes('# Policy')) return one('read_skill_file', { skill: 'billing', path: 'references/policy.md' });
      return refund;
    }
    if (/poem|haiku/i.test(said)) {
      if (!read.includes('skill_content') && !read.includes('already active')) return one('load_skill', { name: 'haiku' });
      return { text: 'An old silent pond. A frog jumps into the pond. Splash! Silence again.' };
    }
    return { text: 'I can help with refunds, and write a haiku.' };
  });
}

function lastWords({ prompt }: ScriptedModelCall): string {
  const last = prompt.findLast(({ role }) => role === 'user');
  return last?.role === 'user' ? last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') : '';
}

/** Tool results since the last message of the person. */
function resultsOf({ prompt }: ScriptedModelCall): string[] {
  const since = prompt.findLastIndex(({ role }) => role === 'user');
  return prompt
    .slice(since)
    .flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) =>
            part.type === 'tool-result' && 'value' in part.output ? [JSON.stringify(part.output.value).replaceAll('\\"', '"')] : [],
          )
        : [],
    );
}
