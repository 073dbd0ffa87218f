import type { VNode } from 'preact';
import { shownPlain } from '../text/hidden-parts.ts';
import { approvalsOf } from '../review/approvals-of.ts';
import type { SignatureView, SkillRow } from '../../src/library/views.ts';
import type { ApprovalView } from '../../src/review/views.ts';

const shownTexts = { shortened: 'shortened', 'name-only': 'name only', dropped: 'not listed', hidden: 'hidden' } as const;
const shownTitles = {
  shortened: 'The budget shortened its description.',
  'name-only': 'The budget left only its name in the catalog.',
  dropped: 'The budget left it out of the catalog. A model can load it all the same.',
  hidden: 'A model does not see it: only a person may start it.',
} as const;

/** What is special about a skill; nothing for what is as usual. */
export function Badges({ row }: { readonly row: SkillRow }): VNode {
  const { name, shown, version, trusted, errors, warnings, signature } = row;
  const approvals = approvalsOf(name);
  return (
    <>
      {version === null ? null : <span class="badge plain">{shownPlain(version)}</span>}
      {shown === 'whole' ? null : (
        <span class={`badge ${shown}`} title={shownTitles[shown]}>
          {shownTexts[shown]}
        </span>
      )}
      {trusted ? null : (
        <span class="badge warn" title="Nothing in it has an effect: its tools, model and scripts are inert.">
          untrusted
        </span>
      )}
      {errors === 0 ? null : <span class="badge bad">{errors === 1 ? '1 error' : `${errors} errors`}</span>}
      {warnings === 0 ? null : <span class="badge warn">{warnings === 1 ? '1 warning' : `${warnings} warnings`}</span>}
      {signature.kind === 'not-signed' ? null : <SignatureBadge signature={signature} />}
      {approvals.length === 0 ? null : <ApprovalBadge approvals={approvals} />}
    </>
  );
}

function ApprovalBadge({ approvals }: { readonly approvals: readonly ApprovalView[] }): VNode {
  const counts = approvals.some(({ standing, never }) => standing === 'stands' && !never);
  return (
    <span class={`badge ${counts ? 'good' : 'warn'}`} title="What people approved stands under About.">
      {counts ? 'approved' : 'not approved any more'}
    </span>
  );
}

function SignatureBadge({ signature }: { readonly signature: SignatureView }): VNode {
  const bad = signature.kind === 'refused';
  return (
    <span class={`badge ${signature.kind === 'verified' ? 'good' : bad ? 'bad' : 'plain'}`} title={shownPlain(signatureText(signature))}>
      {signature.kind === 'verified' ? 'signed' : bad ? 'signature refused' : 'signed by?'}
    </span>
  );
}

/** Who signed a skill, in a sentence. */
export function signatureText(signature: SignatureView): string {
  switch (signature.kind) {
    case 'not-signed':
      return 'Not signed.';
    case 'unverified':
      return 'It has a signature. Give --root or --public-key, so that it can be verified.';
    case 'verified':
      return `Signed by ${signature.signer}.`;
    case 'refused':
      return `The signature is refused: ${signature.problems.join(' ')}`;
  }
}
