/** A sentence of a page, and the test that fails if it is not so. */
export interface PagePromise {
  /** A part of the sentence, as it stands in the page. Line breaks count as spaces. */
  readonly says: string;
  readonly test: string;
  /** The start of the test's title. */
  readonly title: string;
}

const kills = { test: 'e2e/workflow-kills.test.ts', title: 'FLW-3 FLW-7: workflow skills that change whenever their process is killed' };
const asked = 'packages/skills-core/test/tools/approvals/asked-and-answered.test.ts';
const approvals = 'packages/skills-core/test/tools/approvals/skill-approvals.test.ts';
const durable = 'packages/skill-workflow/test/durable-agent.test.ts';

/**
 * The sentences of pages about runs that say what never happens, or what happens to a run, each with
 * its test. A new one needs a row here.
 */
export const promises: Readonly<Record<string, readonly PagePromise[]>> = {
  'docs/guide/workflows.md': [
    {
      says: 'At the start of a run, every `$.input` reference must',
      test: 'packages/skill-workflow/test/run-workflow.test.ts',
      title: 'FLW-2: names every missing input before anything runs',
    },
    {
      says: '`undefined` for a run without an id',
      test: 'e2e/workflow-keys.test.ts',
      title: 'FLW-7: %s: without a conversation there is no key',
    },
    { says: 'A run that is resumed goes on with that record', ...kills },
    { says: 'does not change a run that is under way', ...kills },
    {
      says: 'A record that is damaged, or of another run, is refused',
      test: 'packages/skill-workflow/test/properties.test.ts',
      title: 'FLW-3: a record of another run, of another workflow, or one that was changed',
    },
  ],
  'docs/guide/durable-agents.md': [
    {
      says: 'a recorded answer is never returned for a call that the gate refuses now',
      test: durable,
      title: 'FLW-5: a call that the gate refuses now does not get the answer',
    },
    { says: 'changes nothing in a run that has begun, loaded or not', ...kills },
    { says: 'it opens nothing in this run', test: durable, title: 'PIN-2, FLW-5: what an earlier run loaded is compared once' },
    {
      says: 'runs it again from its beginning, and nothing else',
      test: 'packages/skill-workflow/test/langgraph-engine.test.ts',
      title: 'FLW-5: a tool asks a person by interrupt',
    },
  ],
  'docs/guide/approvals.md': [
    { says: 'Asked again, it changes nothing', test: asked, title: 'GOV-17: is written by asking alone, and asking again changes nothing' },
    { says: 'nothing if it is not known, or answered', test: asked, title: 'GOV-17: is what an answer needs' },
    {
      says: 'with nothing but the id',
      test: 'packages/adapter-langchain/test/unasked.test.ts',
      title: 'GOV-17: count after a restart, by the id of the question',
    },
    { says: '`judgeCall` records nothing', test: asked, title: 'GOV-17: is written by asking alone' },
    { says: 'brings from another one claims nothing', test: approvals, title: 'APR-5: a state cannot claim one' },
    {
      says: 'this skill is not loaded, whatever its content, without asking',
      test: approvals,
      title: 'APR-4: never is for the skill, whatever its content',
    },
    { says: "word, never the client's", test: asked, title: 'GOV-17: gets keys of ours alone, whatever a client claims' },
    { says: 'never remembered (`canRemember: false`)', test: approvals, title: 'APR-6: an unpinned skill is asked about each time' },
    { says: 'a `never` too', test: approvals, title: 'APR-4: never is for the skill, whatever its content, until it is revoked' },
    { says: 'or holds something else, grants nothing', test: approvals, title: 'APR-5: a store that fails grants nothing, and says so' },
    {
      says: 'A yes of a framework and nothing else gives the load or the one call',
      test: asked,
      title: 'GOV-17: that is a bare yes gives the load',
    },
    { says: 'tells the two apart, and nothing is recorded then', test: 'packages/adapter-vercel-ai/test/unasked.test.ts', title: 'GOV-17' },
    {
      says: 'that yes loads nothing and makes no call',
      test: 'e2e/approvals.test.ts',
      title: 'APR-5: a yes is for the bytes that were asked about',
    },
  ],
};

/** Sentences with the same words that promise nothing. */
export const others: readonly string[] = [
  'DBOS, embedded',
  'DBOS on PGlite',
  'nothing to install, nothing to start',
  'has no record: killed in its last call',
  'DBOS gives up on a run',
  'For a machine that never comes back',
  'nothing is saved',
  'give two forks at the same time a run each',
  'nothing: a process that dies ends the run',
  'this conversation, this content, never and not now',
];
