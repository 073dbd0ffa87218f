import { computed, type ReadonlySignal } from '@preact/signals';
import type { ApprovalView } from '../../src/review/views.ts';
import { approvals, start } from '../state/api.ts';

const bySkill: ReadonlySignal<ReadonlyMap<string, readonly ApprovalView[]>> = computed(() => {
  const given = start().value?.views.includes('approvals') === true ? (approvals().value?.approvals ?? []) : [];
  return Map.groupBy(
    given.filter(({ standing }) => standing !== 'absent' && standing !== 'damaged'),
    ({ skill }) => skill,
  );
});

/** What people answered about a skill of this library; nothing without a store of approvals. */
export function approvalsOf(skill: string): readonly ApprovalView[] {
  return bySkill.value.get(skill) ?? [];
}
