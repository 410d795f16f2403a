import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** What a measuring program prints when it has warmed up, and when it stops counting. */
export const marks = { counting: 'counting', counted: 'counted' } as const

export interface Watch {
  counting(): void
  counted(): void
}

/** Runs a file with one JSON argument until it exits, and parses the JSON of the last line that it prints. */
export async function runMeasurement(file: string, options: object, watch?: Watch): Promise<unknown> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === marks.counting) watch?.counting()
    else if (line === marks.counted) watch?.counted()
    else last = line
  })
  const [code]: unknown[] = await once(child, 'close')
  if (code !== 0) throw new Error(`${file} exited with ${String(code)}`)
  return JSON.parse(last)
}
