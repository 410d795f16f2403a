import { Switchyard } from '@switchyard/sdk'
import type { Command } from 'commander'
import { UsageError } from './exit-codes.ts'
import type { Io } from './io.ts'
import { createPrinter, type Printer } from './output/print.ts'
import { chooseProfile, type ChosenProfile } from './profiles/choose-profile.ts'

/** The options that every command has. */
export interface CommonOptions {
  json?: boolean
  profile?: string
  verbose?: boolean
}

/** One run of a command: its credentials, its installation and its output. */
export interface Session {
  readonly io: Io
  readonly profile: ChosenProfile
  readonly client: Switchyard
  readonly print: Printer
}

export const withCommonOptions = (command: Command): Command =>
  command
    .option('--json', 'print JSON lines, as when the output is piped')
    .option('--profile <name>', 'use this profile (or SWITCHYARD_PROFILE)')
    .option('--verbose', 'report every request on standard error')

export function openSession(io: Io, options: CommonOptions): Session {
  const profile = chooseProfile(io, options.profile)
  return {
    io,
    profile,
    client: clientOf(io, profile, options),
    print: createPrinter(io, options.json === true),
  }
}

export function clientOf(
  io: Io,
  { base_url: baseUrl, api_key: apiKey }: Pick<ChosenProfile, 'base_url' | 'api_key'>,
  { verbose = false, maxRetries }: CommonOptions & { maxRetries?: number } = {},
): Switchyard {
  try {
    return new Switchyard({
      baseUrl,
      apiKey,
      fetch: io.fetch,
      ...(maxRetries !== undefined && { maxRetries }),
      log: ({ method, path, attempt, status, requestId, durationMs }) => {
        if (!verbose) return
        const answer = status === undefined ? 'no response' : String(status)
        const repeated = attempt > 1 ? ` (attempt ${attempt})` : ''
        io.report(
          `${method} ${path} → ${answer}, ${durationMs.toFixed(0)} ms${repeated}, ${requestId ?? '-'}`,
        )
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
