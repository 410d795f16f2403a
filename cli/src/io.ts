import { setTimeout as sleep } from 'node:timers/promises'
import { isCancel, password, text } from '@clack/prompts'
import { UsageError } from './exit-codes.ts'
import { redact } from './redact.ts'

/** A command's access to its environment; tests replace it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Whether standard output is a terminal, which gets tables instead of JSON lines. */
  readonly isTerminal: boolean
  readonly columns: number
  readonly hasColor: boolean
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Prints the result of the command. */
  out(line: string): void
  /** Prints a message to standard error, with secrets removed. */
  report(line: string): void
  /** Prints a message that shows a secret on purpose. */
  reveal(line: string): void
  readStdin(): Promise<string>
  /** Throws if there is no terminal to ask in. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string>
  now(): Date
  sleep(ms: number): Promise<void>
  fetch: typeof fetch
  /** Calls the listener for each pressed key, until the returned function is called. Undefined without a keyboard. */
  onKey: ((listener: (key: string) => void) => () => void) | undefined
}

const defaultColumns = 80

export function systemIo(): Io {
  const interrupted = new AbortController()
  const { env, stdin, stdout, stderr } = process
  process.once('SIGINT', () => interrupted.abort()).once('SIGTERM', () => interrupted.abort())
  // `switchyard … | head` closes the pipe early, which is not a failure.
  stdout.on('error', () => interrupted.abort())
  const isInteractive = stdin.isTTY && stderr.isTTY
  return {
    env,
    cwd: process.cwd(),
    isTerminal: stdout.isTTY,
    columns: stdout.columns || defaultColumns,
    hasColor: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    signal: interrupted.signal,
    out: (line) => stdout.write(`${line}\n`),
    report: (line) => stderr.write(`${redact(line)}\n`),
    reveal: (line) => stderr.write(`${line}\n`),
    readStdin,
    async ask(question, { isSecret = false } = {}) {
      if (!isInteractive) throw new UsageError(`No terminal to ask in: ${question}`)
      const prompt = isSecret ? password : text
      const answer = await prompt({ message: question, output: stderr })
      if (isCancel(answer)) throw new UsageError('Canceled; nothing was sent.')
      return answer
    },
    now: () => new Date(),
    sleep: async (ms) => {
      await sleep(ms, undefined, { signal: interrupted.signal }).catch(() => undefined)
    },
    fetch: (input, init) => globalThis.fetch(input, init),
    onKey: isInteractive ? listenToKeys(interrupted) : undefined,
  }
}

async function readStdin(): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array)) // no encoding is set
  return Buffer.concat(chunks).toString('utf8')
}

const listenToKeys =
  (interrupted: AbortController) =>
  (listener: (key: string) => void): (() => void) => {
    const { stdin } = process
    const onData = (data: Buffer): void => {
      const key = data.toString('utf8')
      // In raw mode the terminal does not turn Ctrl-C into a signal.
      if (key === '\u0003') interrupted.abort()
      else listener(key)
    }
    stdin.setRawMode(true).on('data', onData).resume()
    return () => stdin.setRawMode(false).off('data', onData).pause()
  }
