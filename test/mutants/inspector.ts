import type { Mutant } from './mutant.ts';

const server = ['packages/inspector/test/server.test.ts'];
const recordings = ['packages/inspector/test/recordings.test.ts'];
const whatIf = ['packages/inspector/test/what-if.test.ts'];
const pure = ['packages/inspector/test/pure.test.ts'];
const source = (path: string): string => `packages/inspector/src/${path}`;

/** Mutants of the inspector: its door, its report, what it reads of recordings, and what it replays. */
export const mutants: readonly Mutant[] = [
  { name: 'inspector-any-host', file: source('server/guard.ts'), from: `req.header('host') !== own.host`, to: 'false', tests: server },
  { name: 'inspector-any-origin', file: source('server/guard.ts'), from: 'from !== own.origin', to: 'false', tests: server },
  {
    name: 'inspector-any-cookie',
    file: source('server/guard.ts'),
    from: `!isSame(getCookie(context, cookie) ?? '', session)`,
    to: 'getCookie(context, cookie) === undefined && req.path === "/"',
    tests: server,
  },
  {
    name: 'inspector-token-everywhere',
    file: source('server/guard.ts'),
    from: `req.method === 'GET' && req.path === '/' && given !== undefined`,
    to: 'given !== undefined',
    tests: server,
  },
  {
    name: 'inspector-report-ends-early',
    file: source('report/pack-report.ts'),
    from: "gzipSync(JSON.stringify(data)).toString('base64')",
    to: 'JSON.stringify(data)',
    tests: server,
  },
  {
    name: 'inspector-lock-ignored',
    file: source('server/inspector-data.ts'),
    from: 'lock === undefined ? options.provider : lockedProvider(options.provider, lock)',
    to: 'options.provider',
    tests: server,
  },
  { name: 'inspector-stale-after-change', file: source('server/start-inspector.ts'), from: 'data.refresh();', to: '', tests: server },
  {
    name: 'inspector-signature-unread',
    file: source('library/read-signature.ts'),
    from: `if (verifier === null) return { kind: 'unverified' };`,
    to: `if (verifier === null || skill.name !== '') return { kind: 'unverified' };`,
    tests: server,
  },
  {
    name: 'inspector-event-of-the-prototype',
    file: source('recording/formats/events.ts'),
    from: '(Object.hasOwn(kinds, type) || others.has(type))',
    to: '(type in kinds || others.has(type))',
    tests: recordings,
  },
  {
    name: 'inspector-side-chains-read',
    file: source('recording/formats/claude-code.ts'),
    from: `if (isSubAgent || line['isSidechain'] !== true) reader.read(line);`,
    to: 'reader.read(line);',
    tests: recordings,
  },
  {
    name: 'inspector-failures-load',
    file: source('timeline/timeline.ts'),
    from: `result.isFailed === true || disclosure === 'refused'`,
    to: 'false as boolean',
    tests: recordings,
  },
  {
    name: 'inspector-spans-unsorted',
    file: source('recording/formats/spans.ts'),
    from: '.sort((a, b) => a.startMs - b.startMs)',
    to: '',
    tests: recordings,
  },
  {
    name: 'inspector-overlay-body-kept',
    file: source('replay/overlay-provider.ts'),
    from: '{ ...changed(skill), body, resources',
    to: '{ ...changed(skill), body: skill.body, resources',
    tests: whatIf,
  },
  {
    name: 'inspector-changed-answers-unseen',
    file: source('replay/replay-recording.ts'),
    from: 'answer.recorded !== answer.now',
    to: 'false',
    tests: whatIf,
  },
  {
    name: 'inspector-request-of-the-turn-before',
    file: source('replay/readable-request.ts'),
    from: 'request.turn >= turn',
    to: 'request.turn > turn',
    tests: pure,
  },
];
