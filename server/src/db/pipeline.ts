import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { statementName } from './statement-name.ts'

export type Row = Record<string, unknown>
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

type WireValue = string | Buffer | null
type Message = { text: string; name: string | undefined; values: WireValue[] }
/** Names of statements: those that the connection has parsed, and those whose ParseComplete is pending. */
type Names = { parsed: Set<string>; awaited: (string | undefined)[] }

// pg exports it, but its type definitions do not.
const { utils } = pg as typeof pg & { utils: { prepareValue: (value: unknown) => WireValue } }

const parsedByConnection = new WeakMap<pg.Connection, Set<string>>()

/**
 * Sends the statements followed by one Sync. Postgres runs everything before a Sync as one transaction and answers it
 * together, so a batch needs one write and one read, without begin and commit.
 */
export async function runPipeline(client: pg.ClientBase, batch: readonly Statement[]): Promise<Row[][]> {
  // Encodes everything first: a value that cannot be sent must not leave half a pipeline on the connection.
  const messages = batch.map(toMessage)
  const { promise, resolve, reject } = Promise.withResolvers<Row[][]>()
  let stopListening = (): void => undefined
  const query = new pg.Query<Row>('', (error, result) => {
    stopListening()
    // pg returns several results as an array and a single result as itself.
    const results = [result].flat() as pg.QueryResult<Row>[]
    if (error) reject(error)
    else resolve(results.map(({ rows }) => rows))
  })
  query.submit = (connection) => {
    const names = { parsed: parsedBy(connection), awaited: [] }
    const onParsed = (): void => recordParsed(names)
    connection.on('parseComplete', onParsed)
    stopListening = () => connection.off('parseComplete', onParsed)
    send(connection, messages, names)
  }
  client.query(query)
  return promise
}

function toMessage({ sql: text, parameters }: Statement): Message {
  const name = statementName(text)
  // The prefix avoids a clash with the name that pg's own queries give to the same text.
  return { text, name: name && `p_${name}`, values: parameters.map(toWire) }
}

const toWire = (value: unknown): WireValue =>
  value instanceof Date ? value.toISOString() : utils.prepareValue(value)

function parsedBy(connection: pg.Connection): Set<string> {
  const known = parsedByConnection.get(connection)
  if (known) return known
  const parsed = new Set<string>()
  parsedByConnection.set(connection, parsed)
  return parsed
}

/** After an error Postgres skips the rest, so a name counts as parsed only after its ParseComplete. */
function recordParsed({ parsed, awaited }: Names): void {
  const name = awaited.shift()
  if (name !== undefined) parsed.add(name)
}

function send(connection: pg.Connection, messages: readonly Message[], names: Names): void {
  connection.stream.cork()
  try {
    for (const { text, name, values } of messages) {
      const isKnown = name !== undefined && (names.parsed.has(name) || names.awaited.includes(name))
      if (!isKnown) {
        connection.parse({ name: name ?? '', text, types: [] }, true)
        names.awaited.push(name)
      }
      connection.bind({ statement: name, values }, true)
      connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
    }
    connection.sync()
  } finally {
    connection.stream.uncork()
  }
}
