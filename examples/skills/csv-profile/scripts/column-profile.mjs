const maxShownCharacters = 80;
const missingWords = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', 'nil', '-', '--', '?', '#n/a', '\\n']);
const booleanWords = new Set(['true', 'false', 'yes', 'no', 't', 'f', 'y', 'n']);

/** What is known of one column: counts, never the rows. */
export class ColumnProfile {
  #name;
  #index;
  #options;
  #missing = 0;
  #typeCounts = new Map();
  #examples = new Map();
  #notes = new Set();
  #slashDates = 0;
  #values = new Map();
  #distinctIsExact = true;
  #numbers = { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  #dates = { min: null, max: null };
  #lengths = { min: Number.POSITIVE_INFINITY, max: 0 };

  constructor(name, index, options) {
    this.#name = name;
    this.#index = index;
    this.#options = options;
  }

  add(raw) {
    const value = raw.trim();
    if (missingWords.has(value.toLowerCase())) {
      this.#missing += 1;
      return;
    }
    if (value !== raw) this.#notes.add('surrounding-spaces');
    this.#count(value);
    const { type, number, date, notes = [] } = classify(value);
    this.#typeCounts.set(type, (this.#typeCounts.get(type) ?? 0) + 1);
    if (!this.#examples.has(type)) this.#examples.set(type, shown(value));
    for (const note of notes) {
      if (note === 'slash-date') this.#slashDates += 1;
      else this.#notes.add(note);
    }
    if (number !== undefined) this.#addNumber(number);
    if (date !== undefined) this.#addDate(date);
    if (type === 'text') {
      const length = [...value].length;
      this.#lengths = { min: Math.min(this.#lengths.min, length), max: Math.max(this.#lengths.max, length) };
    }
  }

  #count(value) {
    const count = this.#values.get(value);
    if (count !== undefined) this.#values.set(value, count + 1);
    else if (this.#values.size < this.#options.maxDistinct) this.#values.set(value, 1);
    else this.#distinctIsExact = false;
  }

  #addNumber(number) {
    this.#numbers.count += 1;
    this.#numbers.sum += number;
    this.#numbers.min = Math.min(this.#numbers.min, number);
    this.#numbers.max = Math.max(this.#numbers.max, number);
  }

  #addDate(date) {
    if (this.#dates.min === null || date < this.#dates.min) this.#dates.min = date;
    if (this.#dates.max === null || date > this.#dates.max) this.#dates.max = date;
  }

  result(rows) {
    if (this.#slashDates > 0 && !this.#notes.has('day-first') && !this.#notes.has('month-first')) this.#notes.add('date-ambiguous');
    const type = commonType([...this.#typeCounts.keys()]);
    const top = [...this.#values].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, this.#options.top);
    return {
      name: this.#name,
      index: this.#index,
      type,
      notes: [...this.#notes].sort(),
      typeCounts: Object.fromEntries(this.#typeCounts),
      missing: this.#missing,
      missingShare: rows === 0 ? 0 : Number((this.#missing / rows).toFixed(4)),
      distinct: this.#values.size,
      distinctIsExact: this.#distinctIsExact,
      ...(this.#numbers.count > 0 && {
        min: this.#numbers.min,
        max: this.#numbers.max,
        mean: Number((this.#numbers.sum / this.#numbers.count).toPrecision(12)),
      }),
      ...(this.#numbers.count === 0 && this.#dates.min !== null && { min: this.#dates.min, max: this.#dates.max }),
      ...(this.#lengths.max > 0 && { minLength: this.#lengths.min, maxLength: this.#lengths.max }),
      top: top.map(([value, count]) => ({ value: shown(value), count })),
      ...(type === 'mixed' && { examples: Object.fromEntries(this.#examples) }),
    };
  }
}

function commonType(types) {
  if (types.length === 0) return 'empty';
  if (types.length === 1) return types[0];
  if (types.every((type) => type === 'integer' || type === 'number')) return 'number';
  if (types.every((type) => type === 'date' || type === 'datetime')) return 'datetime';
  return 'mixed';
}

function classify(value) {
  return (
    classifyNumber(value) ??
    classifyDate(value) ??
    (booleanWords.has(value.toLowerCase()) ? { type: 'boolean' } : { type: 'text', notes: /^[=+\-@]/.test(value) ? ['formula-like'] : [] })
  );
}

function classifyNumber(value) {
  if (/^[+-]?\d+$/.test(value)) {
    if (/^[+-]?0\d/.test(value)) return { type: 'text', notes: ['leading-zeros'] };
    const number = Number(value);
    return Number.isSafeInteger(number) ? { type: 'integer', number } : { type: 'text', notes: ['large-integer'] };
  }
  if (/^[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:e[+-]?\d{1,3})?$/i.test(value)) return { type: 'number', number: Number(value) };
  if (/^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(value)) {
    return { type: value.includes('.') ? 'number' : 'integer', number: Number(value.replaceAll(',', '')), notes: ['thousands-separator'] };
  }
  if (/^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/.test(value)) {
    return { type: 'number', number: Number(value.replaceAll('.', '').replace(',', '.')), notes: ['decimal-comma'] };
  }
  return null;
}

function classifyDate(value) {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(value);
  if (iso !== null) {
    const [, year, month, day] = iso;
    return isDate(Number(year), Number(month), Number(day)) ? { type: value.length > 10 ? 'datetime' : 'date', date: value } : null;
  }
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(value);
  if (dotted !== null) return datedBy(dotted[3], dotted[2], dotted[1], []);
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value);
  if (slashed === null) return null;
  const [, first, second, year] = slashed;
  if (Number(first) > 12) return datedBy(year, second, first, ['slash-date', 'day-first']);
  if (Number(second) > 12) return datedBy(year, first, second, ['slash-date', 'month-first']);
  return Number(first) > 0 && Number(second) > 0 ? { type: 'date', notes: ['slash-date'] } : null;
}

function datedBy(year, month, day, notes) {
  if (!isDate(Number(year), Number(month), Number(day))) return null;
  // Slash dates of one column may be ambiguous as a whole, so only sure forms take part in the range.
  return notes.length > 0 ? { type: 'date', notes } : { type: 'date', date: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` };
}

function isDate(year, month, day) {
  const date = new Date(Date.UTC(year, month - 1, day));
  return month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function shown(value) {
  const characters = [...value];
  return characters.length > maxShownCharacters ? `${characters.slice(0, maxShownCharacters).join('')}…` : value;
}
