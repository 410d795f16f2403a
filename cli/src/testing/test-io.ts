import type { Io } from '../io.ts'
import { redact } from '../redact.ts'
import { runCli } from '../run-cli.ts'

interface TestIo extends Io {
  readonly printed: string[]
  readonly said: string[]
}

/** A terminal or a pipe whose output is recorded. Questions are answered from `answers`. */
export function testIo({
  answers = [],
  stdin = '',
  ...changes
}: Partial<Io> & { answers?: string[]; stdin?: string } = {}): TestIo {
  const printed: string[] = []
  const said: string[] = []
  return {
    env: {},
    cwd: '/nowhere',
    isTerminal: false,
    columns: 100,
    hasColor: false,
    signal: new AbortController().signal,
    out: (line) => printed.push(line),
    report: (line) => said.push(redact(line)),
    reveal: (line) => said.push(line),
    readStdin: () => Promise.resolve(stdin),
    ask(question) {
      said.push(question)
      const answer = answers.shift()
      return answer === undefined
        ? Promise.reject(new Error(`nobody answers ${question}`))
        : Promise.resolve(answer)
    },
    now: () => new Date(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    fetch: () => Promise.reject(new Error('this test sends nothing')),
    onKey: undefined,
    ...changes,
    printed,
    said,
  }
}

export interface CliRun {
  readonly code: number
  readonly printed: string[]
  readonly said: string
}

/** Runs a command in this process. */
export async function runInProcess(
  args: readonly string[],
  changes: Parameters<typeof testIo>[0] = {},
): Promise<CliRun> {
  const io = testIo(changes)
  const code = await runCli(args, io)
  return { code, printed: io.printed, said: io.said.join('\n') }
}

/** Passes credentials in the environment, so that no file is needed. */
export const keyEnv = (baseUrl: string, apiKey = 'sy_test_key'): Record<string, string> => ({
  SWITCHYARD_API_KEY: apiKey,
  SWITCHYARD_BASE_URL: baseUrl,
  SWITCHYARD_CONFIG: '/nowhere/config.json',
})
