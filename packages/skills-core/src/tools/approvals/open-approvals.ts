import { SkillError } from '../../errors/skill-error.ts';
import { asBringer } from '../../policy/approvals/as-bringer.ts';
import { approvalTexts } from '../../prompt/approval-texts.ts';
import type { SkillToolRole } from '../../prompt/tool-names.ts';
import { approveLoad } from './approve-load.ts';
import { approveRead } from './approve-read.ts';
import { approvalRecords, type SkillApprovalStore } from './approval-store.ts';
import { lacking, questionOnCall } from './code-tool-calls.ts';
import { asError, type OpenedApprovals } from './opened-approvals.ts';
import { grantsOf } from './remembered-answers.ts';
import type { SessionApprovals } from './session-approvals.ts';
import { confirmAnswer, expectAnswer, takeAnswer } from './take-answer.ts';

/** These answer with a question before they do anything. */
const askedRoles: ReadonlySet<SkillToolRole> = new Set(['load', 'readFile', 'loadResource', 'loadAsset']);

/** The one place where answers of people are judged. */
export function openApprovals({
  store,
  ...settings
}: Omit<OpenedApprovals, 'records' | 'asked' | 'told'> & { readonly store: SkillApprovalStore }): SessionApprovals {
  const { host, isCodeTool, hasCodeTools } = settings;
  const records = approvalRecords(store, (thrown) =>
    host.report({
      code: 'approval-store-failed',
      severity: 'warning',
      message: `The store of approvals failed: ${String(thrown)}. What a person approved does not count until it answers.`,
      fix: 'Look at `store` of skillApprovals.',
    }),
  );
  const opened: OpenedApprovals = { ...settings, records, asked: new WeakMap(), told: new Set() };
  return {
    isCodeTool,
    asBringer,
    grantsOf: (skill, content, loaded) => grantsOf(opened, skill, content, loaded),
    load: (request) => approveLoad(opened, request),
    async use(skill, loaded, context) {
      if (loaded === undefined) await approveRead(opened, skill, context);
    },
    async unload(name, state) {
      if (!hasCodeTools || !(await lacking(opened, state)).some(({ skill }) => skill.name === name)) return;
      throw new SkillError('permission-denied', approvalTexts.staysLoaded(name), { skill: name });
    },
    async judge(state, call, tool) {
      const isAsked = tool !== undefined && askedRoles.has(tool.role);
      const question = isAsked
        ? (await tool.execute(call.input, { state, callId: call.id, onlyAsk: true })).question
        : await questionOnCall(opened, state, call);
      if (question === undefined) return undefined;
      const error = asError(question);
      return { decision: 'needs-approval', because: error.message, question, error };
    },
    assertShown(skill, grants) {
      if (!grants.has('load')) throw new SkillError('needs-approval', approvalTexts.notShown(skill), { skill });
    },
    answer: (question, given, callId) => takeAnswer(opened, question, given, callId),
    expect: (question, callId) => expectAnswer(opened, question, callId),
    confirm: (question, callId) => confirmAnswer(opened, question, callId),
  };
}
