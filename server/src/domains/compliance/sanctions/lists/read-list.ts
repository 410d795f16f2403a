import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ListEntry, ListSource } from '../record.ts'
import { unreadableList } from './errors.ts'
import { readCsvList } from './read-csv-lists.ts'
import { readXmlList } from './read-xml-lists.ts'

interface ReadList {
  source: ListSource
  fileName: string
  sha256: string
  entries: ListEntry[]
}

const bytesLimit = 400 * 1024 * 1024
const beginningBytes = 4_096

/** Reads a list from the file as its publisher offers it. What the file contains decides which list it is. */
export async function readList(path: string): Promise<ReadList> {
  const { size } = await stat(path)
  if (size > bytesLimit) throw unreadableList(`the file is larger than ${bytesLimit} bytes`)
  const isXml = /^\uFEFF?\s*</.test(await beginningOf(path))
  const { source, entries } = await (isXml ? readXmlList(path) : readCsvList(path))
  if (entries.length === 0) throw unreadableList('it has no entries')
  return { source, entries, fileName: basename(path).slice(0, 200), sha256: await digestOf(path) }
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer) // no encoding is set
  return hash.digest('hex')
}
