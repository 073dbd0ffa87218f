import { assert } from '../conformance/assert.ts';
import { ConformanceSetupError, type CasesOf } from '../conformance/case-context.ts';
import { assertSameAnswer } from '../conformance/in-order.ts';
import { outcomeOf, within, type Outcome } from '../conformance/outcome.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { callsOf } from './calls.ts';

export const abortCases: CasesOf<'abort'> = {
  'abort/before': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const reason = { why: 'aborted before the call' };
    for (const { method, call } of callsOf(provider)) expectReason(await outcomeOf(() => call(AbortSignal.abort(reason))), reason, method);
  },

  'abort/during': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const expected = await Promise.all(callsOf(provider).map(({ call }) => call()));
    for (const [index, { method, call }] of callsOf(provider).entries()) {
      const controller = new AbortController();
      const reason = { why: 'aborted during the call' };
      const outcome = outcomeOf(() => call(controller.signal));
      controller.abort(reason);
      const ended = await outcome;
      // A call that was faster than the abort may answer, but then with the complete answer.
      if (ended.kind === 'resolved') assertSameAnswer(ended.value, expected[index], `answer of ${method}`);
      else expectReason(ended, reason, method);
    }
  },

  'abort/others': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    for (const { method, call } of callsOf(provider)) {
      const controller = new AbortController();
      // The aborted call starts first, so work that both share belongs to it.
      const given = outcomeOf(() => call(controller.signal));
      const kept = outcomeOf(call);
      controller.abort({ why: 'only this one' });
      await given;
      const ended = await kept;
      if (ended.kind !== 'resolved') throw new Error(`${method}: failed since another call was aborted: ${String(ended.error)}.`);
      assertSameAnswer(ended.value, await call(), `answer of ${method} beside an aborted call`);
    }
  },

  'abort/stalled': async ({ config, openBy, patience }) => {
    const create = config.stalled;
    if (create === undefined) throw new ConformanceSetupError('abort/stalled needs the hook `stalled`.');
    const { provider } = await openBy(() => create(everydayLibrary));
    let gaveUp = 0;
    for (const { method, call } of callsOf(provider)) {
      const controller = new AbortController();
      const reason = { why: 'aborted while the source was silent' };
      const outcome = outcomeOf(() => call(controller.signal));
      await turns(10);
      controller.abort(reason);
      const ended = await within(outcome, patience, `${method} after its signal was aborted`);
      // A provider may answer from its cache, without its source.
      if (ended.kind === 'resolved') continue;
      expectReason(ended, reason, method);
      gaveUp += 1;
    }
    assert(
      gaveUp > 0,
      'The source that `stalled` made answered every call, so nothing was seen of aborting. Make one whose storage stays pending.',
    );
  },
};

/** The reason itself: neither a copy nor an error around it. */
export function expectReason(outcome: Outcome<unknown>, reason: object, method: string): void {
  assert(outcome.kind !== 'resolved', `${method}: expected a rejection with the signal's reason, got an answer.`);
  assert(outcome.kind === 'rejected', `${method}: threw at the call instead of rejecting.`);
  assert(outcome.error === reason, `${method}: expected a rejection with the signal's own reason, got ${String(outcome.error)}.`);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
