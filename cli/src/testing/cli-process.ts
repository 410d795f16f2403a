import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../main.ts')

export interface CliProcess {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** The arguments, as visible to every user of the machine. */
  readonly commandLine: () => string
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Resolves as soon as either output contains the text. */
  saw(text: string): Promise<void>
}

interface Start {
  env?: Record<string, string>
  stdin?: string
  cwd?: string
  /** Runs under a pseudo-terminal of this width. */
  columns?: number
}

/** Runs the real program as a shell would. */
export function startCli(
  args: readonly string[],
  { env = {}, stdin = '', cwd, columns }: Start = {},
): CliProcess {
  const [file, all] = columns === undefined ? plainCommand(args) : terminalCommand(args, columns)
  const child = spawn(file, all, {
    cwd: cwd ?? import.meta.dirname,
    env: {
      PATH: process.env['PATH'],
      HOME: '/nowhere',
      SWITCHYARD_CONFIG: '/nowhere/config.json',
      TERM: 'xterm',
      ...env,
    },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  if (columns === undefined) child.stdin.end(stdin)
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout: out, stderr: err })),
  )
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    commandLine: () => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'),
    ended,
    async saw(text) {
      let isOver = false
      child.once('close', () => (isOver = true))
      while (!`${out}${err}`.includes(text)) {
        if (isOver) throw new Error(`the command ended without ${text}:\n${out}${err}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

const plainCommand = (args: readonly string[]): [string, string[]] => [process.execPath, [program, ...args]]

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function terminalCommand(args: readonly string[], columns: number): [string, string[]] {
  const command = [process.execPath, program, ...args].map(quoted).join(' ')
  return ['script', ['-qec', `stty cols ${columns} rows 40 -echo; ${command}`, '/dev/null']]
}

/** Replaces everything in the output that differs from run to run. */
export const steady = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replaceAll(/\d\d:\d\d:\d\d/g, '<clock>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
