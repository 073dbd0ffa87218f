import * as temporal from '@temporalio/workflow';
import { temporalWorkflow } from '@repertoire/skill-workflow/temporal';

export const skillWorkflow = temporalWorkflow(temporal, {
  activities: { startToCloseTimeout: '30s', heartbeatTimeout: '3s', retry: { maximumAttempts: 3, initialInterval: 1 } },
});
