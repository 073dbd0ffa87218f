import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

/** A `SKILL.md` with a description of one's own. */
export const described = (name: string, description: string, body = `Instructions of ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

/** Three skills that have nothing in common, with the requests that belong to them, in each of the forms that people write. */
export async function evalLibrary(more: Readonly<Record<string, string>> = {}): Promise<TemporaryFolder> {
  return await temporaryFolder({
    'skills/sql-tuning/SKILL.md': described('sql-tuning', 'Makes slow database queries fast with indexes. Use when a query is slow.'),
    'skills/sql-tuning/evals/evals.json': JSON.stringify({
      skill_name: 'sql-tuning',
      evals: [
        {
          id: 1,
          prompt: 'Why is this query slow?',
          expected_output: 'An index is proposed.',
          files: ['schema.sql'],
          assertions: ['Proposes an index.', { type: 'contains', value: 'CREATE INDEX' }],
        },
        { id: 'two', prompt: 'Which indexes does my database need?', expectations: ['Names a column.'] },
      ],
    }),
    'skills/sql-tuning/evals/schema.sql': 'CREATE TABLE orders (id int);',
    'skills/refunds/SKILL.md': described('refunds', 'Gives money back to customers. Use when somebody wants a refund.'),
    'skills/refunds/evals/trigger-evals.json': JSON.stringify([
      { query: 'The customer wants the money back.', should_trigger: true },
      { query: 'Refund order 17.', should_trigger: true },
      { query: 'Send the customer an invoice.', should_trigger: false },
    ]),
    'skills/haiku/SKILL.md': described('haiku', 'Writes haiku about seasons. Use when a poem is wanted.'),
    'skills/haiku/evals/evals.json': JSON.stringify([
      { name: 'autumn', prompt: 'Write a haiku about autumn.', expected_behavior: ['Has three lines.'] },
    ]),
    ...more,
  });
}
