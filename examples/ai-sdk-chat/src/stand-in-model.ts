import { scriptedModel, type ScriptedModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';

/**
 * Stands in for a language model if there is no key for one. It loads a skill whose words occur,
 * follows the skills of this example, and answers in fixed sentences. It gets exactly what a
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
    if (/parcel/i.test(said)) {
      if (/denied: |did not approve/.test(read)) return { text: 'Without the skill, I cannot say how long parcels take.' };
      if (!read.includes('skill_content') && !read.includes('already active')) return one('load_skill', { name: 'shipping' });
      // What it read last, in this answer or in an earlier one.
      const days = [...JSON.stringify(call.prompt).matchAll(/Parcels take \w+ days/g)].at(-1)?.[0] ?? 'Parcels take long';
      return { text: `${days}, says the partner.` };
    }
    return { text: 'I can help with refunds, and write a haiku.' };
  });
}

function lastWords({ prompt }: ScriptedModelCall): string {
  const last = prompt.findLast(({ role }) => role === 'user');
  return last?.role === 'user' ? last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') : '';
}

/** Tool results since the last message of the person, and the reasons of calls that were denied. */
function resultsOf({ prompt }: ScriptedModelCall): string[] {
  const since = prompt.findLastIndex(({ role }) => role === 'user');
  return prompt.slice(since).flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => {
          if (part.type !== 'tool-result') return [];
          if (part.output.type === 'execution-denied') return [`denied: ${part.output.reason ?? 'by a person'}`];
          return 'value' in part.output ? [JSON.stringify(part.output.value).replaceAll('\\"', '"')] : [];
        })
      : [],
  );
}
