import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { constructEvent, WebhookVerificationError } from '@switchyard/sdk'
import { signWebhook } from '@switchyard/sdk/verify-webhook'
import type { Command } from 'commander'
import { Refusal, UsageError } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { createPrinter } from '../output/print.ts'

const secretName = 'SWITCHYARD_WEBHOOK_SECRET'
const defaultToleranceSeconds = '300'

/** These commands work on files and need no installation. */
export function addWebhookFiles(group: Command, io: Io): void {
  group
    .command('verify')
    .argument('<body>', 'a file with the exact body; - for standard input')
    .requiredOption('--headers <file>', 'a file with the headers, one `name: value` per line')
    .option(
      '--tolerance <seconds>',
      'the largest allowed difference between the timestamp and now; 0 for no limit',
      defaultToleranceSeconds,
    )
    .option('--json', 'print JSON')
    .summary('check a captured delivery')
    .description(
      `Checks the signature of a captured delivery with the secret in ${secretName}, or prompts for the secret.`,
    )
    .action((body: string, options: VerifyOptions) => verify(io, body, options))
  group
    .command('sign')
    .argument('<body>', 'a file with the exact body; - for standard input')
    .summary('print the signed headers for a body')
    .description(
      `Signs a body with the secret in ${secretName}, or prompts for the secret. Pipe the output into curl -H @-.`,
    )
    .action((body: string) => sign(io, body))
}

interface VerifyOptions {
  headers: string
  tolerance: string
  json?: boolean
}

async function verify(io: Io, file: string, options: VerifyOptions): Promise<void> {
  const body = await contentOf(io, file)
  const headers = Object.fromEntries(
    (await contentOf(io, options.headers))
      .split(/\r?\n/)
      .filter((line) => line.includes(':'))
      .map((line) => [
        line.slice(0, line.indexOf(':')).trim().toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
  const seconds = Number(options.tolerance)
  if (!(seconds >= 0)) throw new UsageError('--tolerance must be a number of seconds.')
  const toleranceSeconds = seconds === 0 ? Infinity : seconds
  try {
    const event = constructEvent(body, headers, await secretOf(io), { toleranceSeconds, now: io.now() })
    io.report(`Genuine: ${event.event_type} ${event.event_id}`)
    createPrinter(io, options.json === true).value(event)
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw new Refusal(`Not genuine: ${error.message}.`)
    throw error
  }
}

async function sign(io: Io, file: string): Promise<void> {
  const body = await contentOf(io, file)
  const headers = signWebhook(eventIdOf(body), body, await secretOf(io), io.now())
  for (const [name, value] of Object.entries(headers)) io.out(`${name}: ${value}`)
}

function eventIdOf(body: string): string {
  const { event_id: id } = parseObject(body)
  if (typeof id !== 'string') throw new UsageError('The body has no event_id.')
  return id
}

function parseObject(body: string): { event_id?: unknown } {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    throw new UsageError('The body is not JSON.')
  }
}

const secretOf = (io: Io): Promise<string> => {
  const secret = io.env[secretName]
  return secret === undefined || secret === ''
    ? io.ask('Signing secret', { isSecret: true })
    : Promise.resolve(secret)
}

/** Returns the content unchanged, because the signature covers every byte. */
async function contentOf(io: Io, file: string): Promise<string> {
  if (file === '-') return io.readStdin()
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}
