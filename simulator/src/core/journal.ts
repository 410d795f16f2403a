import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Journal {
  readonly append: (value: unknown) => void
  readonly close: () => void
}

/** The write is synchronous: what was answered is on disk even if the process is killed right after. */
export function openJournal(path: string, mode: 'append' | 'rewrite'): Journal {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, mode === 'append' ? 'a' : 'w')
  return {
    append: (value) => void writeSync(file, `${JSON.stringify(value)}\n`),
    close: () => closeSync(file),
  }
}

export function readJournal(path: string): unknown[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8').split('\n').flatMap(parseLine)
}

function parseLine(line: string): unknown[] {
  if (line === '') return []
  try {
    return [JSON.parse(line)]
  } catch {
    // A kill in the middle of a write leaves half a line; nothing that was answered depends on it.
    return []
  }
}
