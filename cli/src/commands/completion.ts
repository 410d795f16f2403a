import { Argument, type Command } from 'commander'
import type { Io } from '../io.ts'
import { generatedCommands } from '../generated/commands.ts'
import { kebab, namesOf } from '../generated-command.ts'
import { triggers } from '../triggers/triggers.ts'

const scripts: Readonly<Record<string, string>> = {
  bash: `_switchyard() {
  local IFS=$'\\n'
  COMPREPLY=($(switchyard complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _switchyard switchyard`,
  zsh: `#compdef switchyard
_switchyard() {
  local -a found
  found=("\${(@f)$(switchyard complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  compadd -a found
}
compdef _switchyard switchyard`,
  fish: `complete -c switchyard -f -a '(switchyard complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}
const setUps: Readonly<Record<string, string>> = {
  bash: 'eval "$(switchyard completion bash)"    # in ~/.bashrc',
  zsh: 'eval "$(switchyard completion zsh)"    # in ~/.zshrc, after compinit',
  fish: 'switchyard completion fish | source    # in ~/.config/fish/config.fish',
}

export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .summary('print a shell completion script')
    .addHelpText('after', `\n${Object.values(setUps).join('\n')}`)
    .action((shell: string) => io.out(scripts[shell] ?? ''))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const one of completionsOf(program, words)) io.out(one)
    })
}

/** Completes the last word without calling the API. */
function completionsOf(program: Command, words: readonly string[]): string[] {
  const [first = '', second = ''] = words
  const current = words.at(-1) ?? ''
  const candidates = (): string[] => {
    if (words.length <= 1)
      return program.commands.filter((one) => one.name() !== 'complete').map((one) => one.name())
    if (words.length === 2 && first === 'trigger') return triggers.map(({ event }) => event)
    if (words.length === 2 && first === 'completion') return Object.keys(scripts)
    const generated = generatedCommands.filter((one) => namesOf(one).group === first)
    const byHand = program.commands.find((one) => one.name() === first)?.commands ?? []
    if (words.length === 2)
      return [...new Set([...generated.map((one) => namesOf(one).verb), ...byHand.map((one) => one.name())])]
    const command = generated.find((one) => namesOf(one).verb === second)
    const previous = words.at(-2) ?? ''
    const values = command?.query.find(({ name }) => `--${kebab(name)}` === previous)?.values
    if (values) return [...values]
    return [
      '--json',
      '--profile',
      '--verbose',
      ...(command?.query ?? []).map(({ name }) => `--${kebab(name)}`),
    ]
  }
  return candidates()
    .filter((one) => one.startsWith(current))
    .toSorted()
}
