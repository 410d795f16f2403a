import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type pg from 'pg'

/** A place that stores bytes, read in pieces that fit into memory. */
export interface Place {
  name: string
  pieces(): AsyncIterable<Buffer>
}

export async function* filesUnder(directory: string, wanted: (name: string) => boolean = () => true) {
  for (const entry of await filesIn(directory))
    if (entry.isFile() && wanted(entry.name)) {
      // A file may be deleted during the search, once its content has moved to another file.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => undefined)
      if (bytes) yield bytes
    }
}

/** A folder may be deleted while it is read, for example with another database, so the reading is repeated. */
async function filesIn(directory: string, attempts = 10): Promise<Dirent[]> {
  try {
    return await readdir(directory, { recursive: true, withFileTypes: true })
  } catch (error) {
    if (attempts === 1) throw error
    return filesIn(directory, attempts - 1)
  }
}

export async function* textsOf(...texts: string[]): AsyncIterable<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

const frameStart = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const frameLimitBytes = 1024 * 1024

/** Also yields the unpacked content, because the engine compresses each record of its log with Zstandard. */
export async function* withUnpacked(pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  for await (const piece of pieces) {
    yield piece
    const frames: Buffer[] = []
    for (let at = piece.indexOf(frameStart); at >= 0; at = piece.indexOf(frameStart, at + 1))
      frames.push(unpack(piece.subarray(at, at + frameLimitBytes)))
    yield Buffer.concat(frames)
  }
}

function unpack(frame: Buffer): Buffer {
  try {
    return zstdDecompressSync(frame)
  } catch {
    return Buffer.alloc(0) // four bytes that happen to equal the magic number
  }
}

/** The secret as plain text, as hex, as base64 at any offset and URL-encoded. */
export function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret)
  const shifted = [0, 1, 2].map((padding) => {
    const text = Buffer.concat([Buffer.alloc(padding), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and last characters depend on the neighbouring bytes.
    return text.slice(padding === 0 ? 0 : padding + 1, -1)
  })
  const forms = [secret, bytes.toString('hex'), encodeURIComponent(secret), ...shifted]
  return [...new Set(forms)].map((form) => Buffer.from(form))
}

/** A CVV is too short to search for alone, so this matches it as a quoted value or next to its name. */
export const formsOfCvv = (cvv: string): Buffer[] => [
  ...[`"${cvv}"`, `'${cvv}'`, `\\"${cvv}\\"`].map((form) => Buffer.from(form)),
  ...formsOfNamedCvv(cvv),
]

/** For places that other tests write to, where the bare digits may be theirs. */
export const formsOfNamedCvv = (cvv: string): Buffer[] =>
  ['cvv', 'cvc'].flatMap((name) =>
    [
      `${name}${cvv}`,
      `${name}=${cvv}`,
      `${name}]=${cvv}`,
      `${name}%5D=${cvv}`,
      `${name}":"${cvv}"`,
      `${name}": "${cvv}"`,
    ].map((form) => Buffer.from(form)),
  )

/** Lists each place with each secret found in it. */
export async function findSecrets(
  places: readonly Place[],
  secrets: Readonly<Record<string, readonly Buffer[]>>,
): Promise<string[]> {
  const found = new Set<string>()
  for (const place of places)
    for await (const piece of place.pieces())
      for (const [secret, forms] of Object.entries(secrets))
        if (forms.some((form) => piece.includes(form))) found.add(`${place.name}: ${secret}`)
  return [...found].sort()
}

/** Every row of every table, as text. */
export const tablesOf = (owner: pg.Pool): Place => ({
  name: 'tables',
  async *pieces() {
    const { rows } = await owner.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    )
    for (const { name } of rows) {
      const dump = await owner.query<{ line: string }>(`select one::text as line from ${name} one`)
      yield Buffer.from(dump.rows.map(({ line }) => line).join('\n'))
    }
  },
})

/** The tables and files of a database, and the files that it shares with the server's other databases. */
export async function postgresPlaces(
  owner: pg.Pool,
  firstWalFile: string,
): Promise<{ own: Place[]; shared: Place[] }> {
  await owner.query('checkpoint')
  const { rows } = await owner.query<{ directory: string; oid: string }>(
    `select current_setting('data_directory') as directory, oid::text
     from pg_database where datname = current_database()`,
  )
  const { directory = '', oid = '' } = rows[0] ?? {}
  const isRecent = (name: string): boolean => name >= firstWalFile
  return {
    own: [tablesOf(owner), { name: 'data files', pieces: () => filesUnder(join(directory, 'base', oid)) }],
    shared: [
      { name: 'write-ahead log', pieces: () => filesUnder(join(directory, 'pg_wal'), isRecent) },
      {
        name: 'log of Postgres',
        pieces: () => filesUnder(dirname(directory), (name) => name === 'postgres.log'),
      },
    ],
  }
}
