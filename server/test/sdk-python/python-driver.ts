import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createOpenApiCheck } from '../contract/openapi-check.ts'
import type { CallResult, SdkCaller } from '../sdk/every-operation.ts'
import type { Document } from '../sdk/sdk-calls.ts'
import { pythonSource, usePython } from './use-python.ts'

interface Answer {
  method: string
  path: string
  status: number
  contentType: string
  text: string
}

interface Result {
  data?: unknown
  code?: string
  answers?: Answer[]
  error?: string
}

interface ClientSettings {
  url: string
  credential: string
  isAsync: boolean
  maxRetries: number
}

/** One Python process, which calls the SDK as it is told, one call after the other. */
interface PythonDriver {
  connect(settings: ClientSettings): Promise<PythonClient>
  close(): Promise<void>
}

interface PythonClient {
  call(id: string, args: object): Promise<Result>
}

export function startPythonDriver(): PythonDriver {
  const child = spawn(usePython(), [join(import.meta.dirname, 'driver.py')], {
    env: { PATH: process.env['PATH'], PYTHONPATH: pythonSource, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let count = 0
  const tell = async (command: object): Promise<Result> => {
    child.stdin.write(`${JSON.stringify(command)}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the Python driver ended')
    const result = JSON.parse(value) as Result // the driver writes it
    if (result.error !== undefined) throw new Error(result.error)
    return result
  }
  return {
    async connect(settings) {
      const client = String(count++)
      await tell({ client, ...settings })
      return { call: (id, args) => tell({ client, id, ...args }) }
    },
    async close() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** Holds every answer that the client received against the document. */
export function checkedCaller(client: PythonClient, document: Document): SdkCaller {
  const check = createOpenApiCheck(document)
  return {
    async call({ id }, args): Promise<CallResult> {
      const { data, code, answers = [] } = await client.call(id, args)
      for (const { method, path, status, contentType, text } of answers) {
        const body: unknown = contentType.includes('json') && text !== '' ? JSON.parse(text) : text
        check(method, path, { status, body, contentType })
      }
      return code === undefined ? { data, text: answers.at(-1)?.text ?? '' } : { code }
    },
  }
}
