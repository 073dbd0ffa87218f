/** Plays the conversation of `e2e/parity` in Temporal's sandbox: in the loop of the core, and in that of the AI SDK. The files of that folder are copied beside this one. */
// oxlint-disable-next-line import/no-unassigned-import
import './polyfills.mjs';
import * as temporal from '@temporalio/workflow';
import { temporalAgent } from '@repertoire/skill-workflow/temporal';
import { playAiSdkDurably, playDurably } from './parity/hosts/durable.ts';

const options = { activities: { startToCloseTimeout: '30s', retry: { maximumAttempts: 3 } } };

export const parity = temporalAgent(temporal, options, async ({ durable, provider, askModel }, loop, variant) => {
  const play = loop === 'core' ? playDurably : playAiSdkDurably;
  // What the model is given is written down by the worker.
  await play(durable, provider, variant, (at, given) => askModel({ at, given }));
});
