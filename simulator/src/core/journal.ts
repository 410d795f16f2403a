import { closeSync, existsSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'

const CHUNK_BYTES = 65_536

interface Journal {
  readonly append: (value: unknown) => void
  readonly close: () => void
}

/** The write is synchronous, so every answered request is on disk even if the process is killed. */
export function openJournal(path: string, mode: 'append' | 'rewrite'): Journal {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, mode === 'append' ? 'a' : 'w')
  return {
    append: (value) => void writeSync(file, `${JSON.stringify(value)}\n`),
    close: () => closeSync(file),
  }
}

/** Values are read one by one, because a journal may be larger than memory. */
export function* readJournal(path: string): Generator<unknown> {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
  try {
    for (const line of linesOf(file)) yield* parseLine(line)
  } finally {
    closeSync(file)
  }
}

function* linesOf(file: number): Generator<string> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
    const lines = (rest + decoder.write(chunk.subarray(0, length))).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

function parseLine(line: string): unknown[] {
  if (line === '') return []
  try {
    return [JSON.parse(line)]
  } catch {
    // A kill during a write leaves an incomplete line, whose request was never answered.
    return []
  }
}
