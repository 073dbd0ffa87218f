#!/usr/bin/env node
// Profiles a delimited text file. Reads a stream, keeps counts only, prints one JSON object. No dependencies.
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { DelimitedParser } from './delimited-parser.mjs';
import { EnoughRows, TableProfile } from './table-profile.mjs';

const help = `Usage: node profile.mjs [options] <file | ->

Profiles a CSV or TSV file and prints one JSON object.

Options:
  --delimiter <char>    one character, or "tab" (default: found from the first lines)
  --no-header           the first row is data
  --max-rows <n>        stop after n data rows (default: all)
  --top <n>             most frequent values for each column (default: 5)
  --max-distinct <n>    distinct values to track for each column (default: 10000)
  --encoding <name>     any encoding of TextDecoder (default: utf-8)
  --compact             JSON on one line
  --help                this text

Exit codes: 0 profiled, 1 not readable, 2 wrong arguments.
Example: node profile.mjs --delimiter ';' --top 3 orders.csv`;

const sampleCharacters = 64 * 1024;

class UsageError extends Error {}

function readOptions(args) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        delimiter: { type: 'string' },
        'no-header': { type: 'boolean', default: false },
        'max-rows': { type: 'string' },
        top: { type: 'string', default: '5' },
        'max-distinct': { type: 'string', default: '10000' },
        encoding: { type: 'string', default: 'utf-8' },
        compact: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error.message);
  }
  const { values, positionals } = parsed;
  if (values.help) return null;
  if (positionals.length !== 1) throw new UsageError(`one file is needed, got ${positionals.length}.`);
  const delimiter = values.delimiter === 'tab' || values.delimiter === '\\t' ? '\t' : values.delimiter;
  if (delimiter !== undefined && (delimiter.length !== 1 || '"\r\n'.includes(delimiter))) {
    throw new UsageError(
      `--delimiter must be one character other than a quote or line end, or "tab", not ${JSON.stringify(values.delimiter)}.`,
    );
  }
  const decoder = decoderFor(values.encoding);
  if (decoder === undefined) {
    throw new UsageError(`--encoding ${JSON.stringify(values.encoding)} is not known. Try utf-8, utf-16le or windows-1252.`);
  }
  return {
    file: positionals[0],
    delimiter,
    header: !values['no-header'],
    maxRows: values['max-rows'] === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--max-rows', values['max-rows']),
    top: wholeNumber('--top', values.top),
    maxDistinct: wholeNumber('--max-distinct', values['max-distinct']),
    encoding: values.encoding,
    decoder,
    compact: values.compact,
  };
}

/** `undefined` where the name is not one of an encoding. */
function decoderFor(encoding) {
  try {
    return new TextDecoder(encoding, { ignoreBOM: true });
  } catch {
    return undefined;
  }
}

function wholeNumber(option, text) {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new UsageError(`${option} must be a whole number from 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}

async function profile(options) {
  const table = new TableProfile(options);
  const { decoder } = options;
  const stream = options.file === '-' ? process.stdin : createReadStream(options.file);
  let parser;
  let pending = '';
  let firstCharacters = true;

  const feed = (text) => {
    let rest = text;
    if (firstCharacters && rest !== '') {
      firstCharacters = false;
      if (rest.startsWith('\uFEFF')) {
        table.byteOrderMark = true;
        rest = rest.slice(1);
      }
    }
    table.countReplacements(rest);
    if (parser !== undefined) return parser.write(rest);
    // The delimiter is found on a sample, so the first characters wait until there are enough of them.
    pending += rest;
    if (pending.length >= sampleCharacters) start();
  };
  const start = () => {
    if (parser !== undefined) return;
    table.delimiter = options.delimiter ?? findDelimiter(pending.slice(0, sampleCharacters));
    parser = new DelimitedParser(table.delimiter, table);
    parser.write(pending);
    pending = '';
  };

  try {
    for await (const chunk of stream) {
      if (chunk.includes(0) && !/^utf-?16|^ucs/i.test(options.encoding))
        throw new Error('the file holds zero bytes, so it is binary or UTF-16. For UTF-16 pass --encoding utf-16le.');
      table.bytes += chunk.length;
      feed(decoder.decode(chunk, { stream: true }));
    }
    feed(decoder.decode());
    start();
    parser.end();
  } catch (error) {
    if (!(error instanceof EnoughRows))
      throw error.code === undefined ? error : new Error(`cannot read ${JSON.stringify(options.file)}: ${error.message}`, { cause: error });
    table.truncated = true;
    stream.destroy();
  }
  return table.result();
}

/** The candidate that splits the sampled lines into the same number (above one) of fields most often. */
function findDelimiter(sample) {
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of [',', ';', '\t', '|']) {
    const counts = [];
    const parser = new DelimitedParser(delimiter, {
      row: (fields) => counts.push(fields.length),
      emptyLine() {},
      unclosedQuote() {},
      lineEnd() {},
    });
    parser.write(sample);
    parser.end();
    // The sample may end inside a row.
    if (counts.length > 1) counts.pop();
    const frequency = new Map();
    for (const count of counts) frequency.set(count, (frequency.get(count) ?? 0) + 1);
    const [fields, times] = [...frequency].sort((a, b) => b[1] - a[1])[0] ?? [1, 0];
    const score = fields > 1 ? times / counts.length + Math.min(fields, 50) / 1000 : 0;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) {
    console.log(help);
  } else {
    const result = await profile(options);
    console.log(JSON.stringify(result, null, options.compact ? 0 : 2));
  }
} catch (error) {
  const usage = error instanceof UsageError;
  console.error(`profile.mjs: ${error.message}${usage ? '\nRun with --help for the options.' : ''}`);
  process.exitCode = usage ? 2 : 1;
}
