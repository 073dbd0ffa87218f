/** What is read of the script's output. */
interface Profile {
  readonly rows: number;
  readonly duplicateRows: number;
  readonly raggedRows: number;
  readonly columns: readonly Column[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notes: readonly string[];
  readonly typeCounts: Readonly<Record<string, number>>;
  readonly missing: number;
  readonly distinct: number;
  readonly min?: number | string;
  readonly max?: number | string;
}

/**
 * An answer made only of the script's output: the shape, a table of the columns, and what needs
 * attention.
 */
export function describeProfile(output: string): string {
  const [, exit] = /^<skill_script [^>]*exit="(\d+)"/.exec(output) ?? [];
  const [, json] = /^stdout:\n(\{.*\})$/m.exec(output) ?? [];
  const profile = exit === '0' && json !== undefined ? parse(json) : null;
  if (profile === null) return `The script gave no profile that I can read. It said:\n\n${output}`;
  const { rows, duplicateRows, raggedRows, columns } = profile;
  const table = columns.map(
    ({ name, type, missing, distinct, min, max }) =>
      `| ${[name, type, missing, distinct, min === undefined ? '' : `${min} to ${max}`].join(' | ')} |`,
  );
  const problems = [
    ...(duplicateRows > 0 ? [`${duplicateRows} of the rows repeat an earlier one.`] : []),
    ...(raggedRows > 0 ? [`${raggedRows} of the rows have too many fields, or too few.`] : []),
    ...columns.flatMap(problemsOf),
  ];
  return [
    `${rows} rows, ${columns.length} columns.`,
    ['| column | type | missing | distinct | range |', '|---|---|---|---|---|', ...table].join('\n'),
    problems.length === 0 ? 'Nothing looks wrong.' : `Look at these first:\n\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    '(I am a stand-in and can only say what the script counted. With an API key, a language model follows the instructions.)',
  ].join('\n\n');
}

function problemsOf({ name, type, notes, typeCounts, missing }: Column): string[] {
  const counts = Object.entries(typeCounts).map(([kind, count]) => `${count} ${kind}`);
  return [
    ...(type === 'mixed' ? [`${name} is mixed: ${counts.join(', ')}.`] : []),
    ...(missing > 0 ? [`${name} is empty, or says that there is nothing, in ${missing} rows.`] : []),
    ...(notes.includes('leading-zeros') ? [`${name} has leading zeros: keep it as text.`] : []),
  ];
}

function parse(json: string): Profile | null {
  try {
    return JSON.parse(json) as Profile;
  } catch {
    return null;
  }
}
