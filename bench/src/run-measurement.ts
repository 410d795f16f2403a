import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a file with one JSON argument until it exits, and parses the JSON that it prints. */
export async function runMeasurement(file: string, options: object): Promise<unknown> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code]: unknown[] = await once(child, 'close')
  if (code !== 0) throw new Error(`${file} exited with ${String(code)}`)
  return JSON.parse(output)
}
