import { Command } from 'commander'
import { addApi } from './commands/api.ts'
import { addCompletion } from './commands/completion.ts'
import { addDoctor } from './commands/doctor.ts'
import { addGenerated } from './commands/generated.ts'
import { addListen } from './commands/listen.ts'
import { addOpen } from './commands/open.ts'
import { addPayments } from './commands/payments.ts'
import { addProfiles } from './commands/profiles.ts'
import { addTrigger } from './commands/trigger.ts'
import { addWebhookFiles } from './commands/webhook-files.ts'
import { generatedCommands } from './generated/commands.ts'
import { namesOf } from './generated-command.ts'
import type { Io } from './io.ts'
import { version } from './version.ts'

/** Hand-written commands in the groups of generated ones; they replace generated commands of the same name. */
const byHand: Readonly<Record<string, (group: Command, io: Io) => void>> = {
  payments: addPayments,
  webhooks: addWebhookFiles,
}

/** Creates the program. To start faster, it adds a resource's operations only if the arguments name the resource. */
export function createProgram(io: Io, args: readonly string[]): Command {
  const program = new Command('switchyard')
    .description(
      'The Switchyard command line. Every API operation is a command: `switchyard <resource> <verb>`.',
    )
    .version(version, '--version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.report(text.trimEnd()),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
  program.commandsGroup('API operations:')
  for (const [name, commands] of Map.groupBy(generatedCommands, (one) => namesOf(one).group)) {
    const group = program.command(name).description(`Operations on ${name}`)
    byHand[name]?.(group, io)
    const taken = group.commands.map((one) => one.name())
    if (args.includes(name))
      for (const command of commands)
        if (!taken.includes(namesOf(command).verb)) addGenerated(group, io, command)
  }
  program.commandsGroup('Tools:')
  for (const add of [addListen, addTrigger, addProfiles, addApi, addDoctor, addOpen, addCompletion])
    add(program, io)
  return program
}
