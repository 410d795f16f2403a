import { generatedCommands } from '../generated/commands.ts'
import type { GeneratedCommand } from '../generated-command.ts'

const byId = new Map(generatedCommands.map((command) => [command.id, command]))

export function commandById(id: string): GeneratedCommand {
  const command = byId.get(id)
  if (!command) throw new TypeError(`This version has no operation ${id}.`)
  return command
}
