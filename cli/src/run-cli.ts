import { CommanderError } from 'commander'
import { describeError, exitCodeOf, exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { createProgram } from './program.ts'

/** Runs one command and returns its exit code. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io, args).parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // Ctrl-C is the normal way to end `listen` and similar commands.
    if (io.signal.aborted) return exitCodes.done
    // commander has already printed its own message.
    if (!(error instanceof CommanderError)) io.report(`switchyard: ${describeError(error)}`)
    return exitCodeOf(error)
  }
}
