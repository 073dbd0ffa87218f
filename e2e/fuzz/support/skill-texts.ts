/** SKILL.md files with everything that frontmatter can have. */
export const skillTexts: readonly string[] = [
  '---\nname: a\ndescription: b\n---\nx',
  `---
name: billing
title: Billing
description: "Refunds and invoices: how they are made."
license: MIT
compatibility: Needs git
version: "1.10"
when_to_use: When money is asked for
allowed-tools: Read Bash(git:*) "Bash(npm run *)"
tools: [process_refund, 'billing_*']
argument-hint: "[id]"
arguments: [id, amount]
disable-model-invocation: false
user-invocable: true
model: inherit
context: fork
metadata:
  author: a
  tags: [one, two]
  nested: { a: 1, b: [true, null, 0x1f, 1e3] }
---

# Billing

Ask for $ARGUMENTS and $0.
`,
  `---\r
name: folded\r
description: >-\r
  Folded text\r
  of two lines.\r
hooks:\r
  PreToolUse:\r
    - matcher: "Bash"\r
      hooks: [{ type: command, command: ./x.sh }]\r
---\r
Body\r
`,
  `---
name: anchors
description: &d |
  Literal
  text
other: *d
<<: { a: b }
? complex key
: value
tagged: !!str 1
---
`,
  '\ufeff---\ndescription: a: b: c\nname: x # comment\nlist:\n- 1\n-\t2\n---\n',
  'No frontmatter here.\n\n---\n',
  `---
name: steps
description: d
steps:
  - name: fetch-weather
    tool: get-weather
    input:
      destination: "$.input.destination"
  - name: offers
    tools:
      - tool: search-flights
        input: { to: "$.input.destination" }
      - tool: search-hotels
        input: { city: "$['input']['destination']", stars: 3 }
  - name: summarize
    prompt: "Summarize {{ weather }}."
    input:
      weather: "$.steps.fetch-weather.output"
      flights: "$.steps.offers.output.search-flights"
---
`,
];

/** What means something in them. */
export const skillWords: readonly string[] = [
  '---\n',
  '\n---\n',
  '...\n',
  '\n',
  '\r\n',
  ': ',
  '- ',
  '\n- ',
  '\n  ',
  '[',
  ']',
  '{',
  '}',
  ', ',
  '"',
  "'",
  '""',
  '&a ',
  '*a',
  '!!',
  '!!binary ',
  '!!set ',
  '!<x> ',
  '|',
  '|+2\n',
  '>',
  '>-\n',
  '#',
  ' #',
  '\t',
  '? ',
  '<<: ',
  '%YAML 1.1\n',
  '"\\x',
  '"\\u',
  '\\',
  '@',
  '`',
  '~',
  'null',
  'true',
  '0x',
  '.inf',
  '1e999',
  '2001-12-14',
  '=',
  '<<<<<<< a\n',
  'name: ',
  'description: ',
  'metadata:\n  ',
  'allowed-tools: ',
  'tools: ',
  'version: ',
  'steps:\n  - ',
  'hooks: ',
  'arguments: ',
  'tool: ',
  'prompt: ',
  'input: ',
  '"$.input.a"',
  '$.steps.',
  '..',
  '[?@.a]',
  "['a']",
  '[*]',
  '[::2]',
];
