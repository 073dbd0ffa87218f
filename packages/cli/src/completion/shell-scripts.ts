import type { CommandNode, OptionNode } from './command-tree.ts';

/** The shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** The completion script of a shell. It starts no process. */
export function completionScript(shell: Shell, commands: readonly CommandNode[]): string {
  return { bash, zsh, fish, powershell }[shell](commands);
}

function bash(commands: readonly CommandNode[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const values = options
      .filter(({ takesValue }) => takesValue)
      .map((option) => `      ${option.flags.join('|')}) ${bashValues(option)}; return ;;`);
    const flags = options.flatMap((option) => option.flags).join(' ');
    return [
      `  ${name})`,
      ...(values.length === 0 ? [] : ['    case "$prev" in', ...values, '    esac']),
      `    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "${flags}" -- "$cur")); return; fi`,
      ...(choices.length === 0
        ? []
        : [`    if ((COMP_CWORD == at + 1)); then COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$cur")); fi`]),
      '    ;;',
    ].join('\n');
  });
  return `# Completion of repertoire in bash. Add to ~/.bashrc: source <(repertoire completion bash)
_repertoire() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" command="" at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} != -* ]]; then command="\${COMP_WORDS[at]}"; break; fi
  done
  case "$command" in
  "") COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}" -- "$cur")) ;;
${cases.join('\n')}
  esac
}
complete -o default -F _repertoire repertoire
`;
}

/** Without completions of our own, the shell falls back to file names. */
function bashValues({ choices }: OptionNode): string {
  return choices.length === 0 ? ':' : `COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$cur"))`;
}

function zsh(commands: readonly CommandNode[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const specs = options.map((option) => {
      const text = `[${option.description.replace(/[[\]\\:]/g, '\\$&')}]`;
      const value = option.choices.length > 0 ? `:value:(${option.choices.join(' ')})` : ':value:_files';
      const spec = `${text}${option.takesValue ? value : ''}`;
      const group = option.flags.length > 1 ? `'(${option.flags.join(' ')})'{${option.flags.join(',')}}` : (option.flags[0] ?? '');
      return `      ${group}${quoted(spec)}`;
    });
    const first = choices.length === 0 ? [] : [`      '1:action:(${choices.join(' ')})'`];
    return [`  ${name})`, ['    _arguments', ...specs, ...first, "      '*:file:_files'"].join(' \\\n'), '    ;;'].join('\n');
  });
  return `#compdef repertoire
# Completion of repertoire in zsh. Write it to a folder of $fpath: repertoire completion zsh > ~/.zfunc/_repertoire
_repertoire() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _repertoire ]]; then _repertoire "$@"; else compdef _repertoire repertoire; fi
`;
}

function fish(commands: readonly CommandNode[]): string {
  const lines = commands.flatMap(({ name, summary, options, choices }) => [
    `complete -c repertoire -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...options.map((option) => {
      const flags = option.flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
      const value = !option.takesValue ? '' : option.choices.length === 0 ? ' -r' : ` -x -a ${quoted(option.choices.join(' '))}`;
      return `complete -c repertoire -n '__fish_seen_subcommand_from ${name}' ${flags}${value} -d ${quoted(option.description)}`;
    }),
    ...(choices.length === 0 ? [] : [`complete -c repertoire -n '__fish_seen_subcommand_from ${name}' -a ${quoted(choices.join(' '))}`]),
  ]);
  return `# Completion of repertoire in fish: repertoire completion fish > ~/.config/fish/completions/repertoire.fish\n${lines.join('\n')}\n`;
}

function powershell(commands: readonly CommandNode[]): string {
  const word = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]): string => `@(${words.map(word).join(', ')})`;
  const rows = commands.map(({ name, summary, options, choices }) => {
    const flags = options.flatMap((option) => option.flags.map((flag) => `      ${word(flag)} = ${word(option.description)}`));
    const values = options
      .filter(({ takesValue }) => takesValue)
      .flatMap((option) => option.flags.map((flag) => `      ${word(flag)} = ${list(option.choices)}`));
    return [
      `  ${word(name)} = @{`,
      `    summary = ${word(summary)}`,
      `    options = [ordered]@{`,
      ...flags,
      '    }',
      '    values = @{',
      ...values,
      '    }',
      `    choices = ${list(choices)}`,
      '  }',
    ].join('\n');
  });
  return `# Completion of repertoire in PowerShell. Add to $PROFILE: repertoire completion powershell | Out-String | Invoke-Expression
$script:repertoireCommands = [ordered]@{
${rows.join('\n')}
}
Register-ArgumentCompleter -Native -CommandName repertoire -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = $words | Select-Object -Skip 1 | Where-Object { -not $_.StartsWith('-') } | Select-Object -First 1
  $offer = {
    param($text, $about, $kind)
    if ($text -like "$wordToComplete*") { [System.Management.Automation.CompletionResult]::new($text, $text, $kind, $about) }
  }
  if ($null -eq $command) {
    foreach ($name in $script:repertoireCommands.Keys) { & $offer $name $script:repertoireCommands[$name].summary 'Command' }
    foreach ($name in '--help', '--version') { & $offer $name $name 'ParameterName' }
    return
  }
  $known = $script:repertoireCommands[$command]
  if ($null -eq $known) { return }
  $previous = $words[-1]
  # Nothing of one's own leaves it to the shell, which completes names of files.
  if ($known.values.ContainsKey($previous)) { foreach ($value in $known.values[$previous]) { & $offer $value $value 'ParameterValue' }; return }
  if ($wordToComplete.StartsWith('-')) { foreach ($flag in $known.options.Keys) { & $offer $flag $known.options[$flag] 'ParameterName' }; return }
  if ($previous -eq $command) { foreach ($value in $known.choices) { & $offer $value $value 'ParameterValue' } }
}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
