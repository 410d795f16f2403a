import { Command } from 'commander'
import { addGenerated } from './commands/generated.ts'
import { addProfiles } from './commands/profiles.ts'
import { generatedCommands } from './generated/commands.ts'
import { namesOf } from './generated-command.ts'
import type { Io } from './io.ts'
import { version } from './version.ts'

/** The commands that these arguments can mean: the operations of a resource are added only if it is named. */
export function createProgram(io: Io, args: readonly string[]): Command {
  const program = new Command('switchyard')
    .description(
      'The command line of Switchyard. Every operation of the API is `switchyard <resource> <verb>`.',
    )
    .version(version, '--version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.say(text.trimEnd()),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
  program.commandsGroup('For people:')
  addProfiles(program, io)
  program.commandsGroup('The API:')
  for (const [group, commands] of Map.groupBy(generatedCommands, (one) => namesOf(one).group)) {
    const parent = program.command(group).description(`Operations of ${group}`)
    if (args.includes(group)) for (const command of commands) addGenerated(parent, io, command)
  }
  return program
}
