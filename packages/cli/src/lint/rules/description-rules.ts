import type { LintRule, LintSkill } from '../lint-rule.ts';
import { lineOfField } from '../positions.ts';

const minCharacters = 40;
const maxCharacters = 700;
const when =
  // recheck: at most 4,000 characters of a description are looked at, and blanks are one each.
  /\b(?:use|used|uses|using|useful|invoke[ds]?|activate[ds]?|trigger(?:s|ed)?|apply|applies|load(?:s|ed)?|run|call(?:ed)?|consult|reach\sfor|read|required|needed|helpful|ideal|best|suitable|recommended)\b.{0,60}\b(?:when(?:ever)?|if|for|before|after|while|during|to|on|as|in|this|any\s?time|every\stime)\b|\bwhen(?:ever)?\s|\bif\s(?:the|a|you|asked|someone|there)\b|\bany\s?time\b|\b(?:before|after|while|during)\s|\b(?:when|triggers?|keywords)\s?:|\bfor\s(?:\w+ly\s)?\w+ing\b|\b(?:asks?|asked|wants?|needs?|mentions?)\s(?:to|for|about)\b|当|時|使用|用于|触发|とき|場合/iu;
/** Words that could be said of any skill. */
const emptyWords: ReadonlySet<string> = new Set(
  'a about across all also an and any anything are as assist assistance assistant assists at be best better by can capabilities capability common daily day data development different do documents does doing easier easily everyday everything for from functionality functions general great handle handles handling help helper helpers helpful helping helps how if in information into is it its kinds lets like make makes making manage managing many more most much multiple need needed needs of on one or other our people perform performs process processing productivity provides providing purpose purposes related scenarios several situations skill skills smart so some something stuff such support supports task tasks that the their them these they thing things this to tool tools type types use used useful user users uses using utilities utility utils variety various ways well what whatever when whenever where which will with work working works you your'.split(
    ' ',
  ),
);

/** Says what, and not when. */
export const descriptionWhen: LintRule = {
  id: 'description-when',
  kind: 'style',
  severity: 'warning',
  summary: 'The description does not say when to use the skill.',
  check: (skill) => {
    const { metadata } = skill.parsed;
    if (!isChosen(skill) || metadata?.whenToUse !== undefined || when.test(flat(skill))) return [];
    return [
      {
        line: lineOfField(skill.text, 'description'),
        message: 'The description does not say when to use the skill.',
        fix: 'Add a sentence such as "Use it when …", with words that users say.',
      },
    ];
  },
};

/** Too little to choose by, or too much for every prompt. */
export const descriptionLength: LintRule = {
  id: 'description-length',
  kind: 'style',
  severity: 'warning',
  summary: `The description has fewer than ${minCharacters} or more than ${maxCharacters} characters.`,
  check: ({ parsed: { metadata }, text }, { budgets }) => {
    if (metadata === null) return [];
    const most = budgets.descriptionCharacters ?? maxCharacters;
    const length = [...metadata.description].length;
    if (length >= minCharacters && length <= most) return [];
    const isShort = length < minCharacters;
    return [
      {
        line: lineOfField(text, 'description'),
        message: `The description has ${length} characters: too ${isShort ? 'few to choose the skill by' : 'many for a text that is in every prompt'}.`,
        fix: isShort ? 'Say what the skill does, and when to use it.' : `Shorten it to at most ${most} characters.`,
      },
    ];
  },
};

/** Words that fit every skill. */
export const vagueDescription: LintRule = {
  id: 'vague-description',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The description has no word that would not fit any other skill.',
  check: (skill) => {
    const description = flat(skill);
    // Words of other scripts are not known here.
    if (!isChosen(skill) || description === '' || /[^\u0000-\u024F\u2000-\u206F]/.test(description)) return [];
    const words = new Set(description.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu) ?? []);
    if ([...words].some((word) => !emptyWords.has(word))) return [];
    return [
      {
        line: lineOfField(skill.text, 'description'),
        message: 'The description has only words that fit any skill, so a model cannot choose by it.',
        fix: 'Say what it works on, what comes of it, and which words of a user call for it.',
      },
    ];
  },
};

/** "I can help you …" */
export const descriptionPerson: LintRule = {
  id: 'description-person',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The description speaks as "I" or "we", or to "you".',
  check: (skill) => {
    // Quotes are the words of users.
    // recheck: at most 4,000 characters of a description are looked at.
    const description = flat(skill).replace(/"[^"]{0,300}"|“[^”]{0,300}”|(?<!\w)'[^']{0,200}'(?!\w)|`[^`]{0,200}`/g, '""');
    const words =
      // recheck: at most 4,000 characters of a description are looked at.
      /(?:^|[.!?]\s)(I(?:['’](?:m|ll|ve|d))?|We(?:['’](?:re|ll|ve))?|My|Our|You(?:['’](?:re|ll))?)\s(?!["“])(?:\w+\s?){1,3}/.exec(
        description,
      );
    if (!isChosen(skill) || words === null) return [];
    return [
      {
        line: lineOfField(skill.text, 'description'),
        message: `The description speaks in the ${words[1]?.startsWith('Y') === true ? 'second' : 'first'} person: ${JSON.stringify(words[0].replace(/^[.!?]\s/, '').trim())}. In a prompt, it is not clear who that is.`,
        fix: 'Say what the skill does: "Reviews pull requests. Use when …".',
      },
    ];
  },
};

/** "First do this, then that": a model that knows the steps does not load the skill. */
export const descriptionWorkflow: LintRule = {
  id: 'description-workflow',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The description tells the steps of the work, instead of when to use the skill.',
  check: (skill) => {
    const description = flat(skill);
    // Numbered occasions ("use when (1) …") are none: the steps have to be named as such.
    const isChain =
      // recheck: at most 4,000 characters of a description are looked at.
      /\bfirst(?:ly)?,?\s.{1,200}\bthen\b.{1,300}\b(?:then|next|finally|lastly|after\sthat)\b/i.test(description) ||
      isThenChain(description) ||
      // recheck: at most 4,000 characters of a description are looked at.
      /(?:^|[.!?:]\s)First(?:ly)?,?\s[^.]{1,200}[,;]\s(?:and\s)?then\s/.test(description) ||
      // A numbered list after a full stop is one of steps; one of occasions stands behind "when",
      // "if" or "for".
      // recheck: at most 4,000 characters of a description are looked at.
      /[.:]\s1[.)]\s[^.]{1,200}\.?\s2[.)]\s/.test(description) ||
      /\b(?:dispatch|spawn|launch)(?:es)?\s(?:an?\s|one\s|the\s)?(?:\w+\s)?sub-?agents?\s(?:per|for)\s(?:each|every|task|file|step|\w+\s)/i.test(
        description,
      ) ||
      // recheck: at most 4,000 characters of a description are looked at.
      /\bstep\s1\b.{1,300}\bstep\s2\b/i.test(description) ||
      // recheck: at most 4,000 characters of a description are looked at.
      /\b(?:steps?|workflow|process|pipeline|phases?)\b[^.]{0,30}[:(]\s?\(?1[.)]\s.{1,200}\s\(?2[.)]\s/i.test(description);
    if (!isChosen(skill) || !isChain) return [];
    return [
      {
        line: lineOfField(skill.text, 'description'),
        message: 'The description tells the steps of the work. A model then works from them, and never loads the skill.',
        fix: 'Say what the skill does and when to use it. Put the steps into the body.',
      },
    ];
  },
};

/**
 * "Does this, then that, then the rest": mottos such as "red, then green, then refactor" are none.
 */
function isThenChain(description: string): boolean {
  // recheck: at most 4,000 characters of a description are looked at.
  const unquoted = description.replace(/"[^"]{0,300}"|“[^”]{0,300}”/g, '""');
  // recheck: at most 4,000 characters of a description are looked at.
  const chain = /\bthen\b(.{1,120}?)\b(?:then|finally|lastly)\b([^.]{0,80})/i.exec(unquoted);
  const between = wordsIn(chain?.[1]);
  const isMotto = between.slice(0, 2).join(' ') === wordsIn(chain?.[2]).slice(0, 2).join(' ');
  return between.length >= 3 && !isMotto;
}

function wordsIn(text = ''): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
}

/** Whether a model chooses the skill by its description. */
function isChosen({ parsed: { metadata } }: LintSkill): boolean {
  return metadata !== null && metadata.disableModelInvocation !== true;
}

const kept = new WeakMap<LintSkill, string>();

function flat(skill: LintSkill): string {
  const text = kept.get(skill) ?? (skill.parsed.metadata?.description ?? '').slice(0, 4000).replace(/\s+/g, ' ').trim();
  kept.set(skill, text);
  return text;
}
