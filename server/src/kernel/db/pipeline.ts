import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { encodeMessages, type Message, type WireValue } from './encode-messages.ts'
import { statementName } from './statement-name.ts'

export type Row = Record<string, unknown>
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

type EncodedStatement = { text: string; name: string | undefined; values: WireValue[] }
type Column = { name: string; read: (text: string) => unknown }

/** What a connection knows about statements, by name. */
interface ConnectionState {
  parsed: Set<string>
  /** Postgres refuses a parsed statement whose columns have changed since, so these are always the current ones. */
  columns: Map<string, readonly Column[]>
  /** The statements whose ParseComplete is pending. */
  awaited: (string | undefined)[]
}

// pg exports it, but its type definitions do not.
const { utils } = pg as typeof pg & { utils: { prepareValue: (value: unknown) => WireValue } }

const stateByConnection = new WeakMap<pg.Connection, ConnectionState>()

/**
 * Sends the statements followed by one Sync. Postgres runs everything before a Sync as one transaction and answers it
 * together, so a batch needs one write and one read, without begin and commit.
 */
export function runPipeline(client: pg.ClientBase, batch: readonly Statement[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    // Encodes the values first: one that cannot be sent must not leave half a pipeline on the connection.
    const statements = batch.map(encodeStatement)
    const pipeline = new Pipeline(client, statements, (error) => {
      pipeline.end()
      if (error) reject(error)
      else resolve(pipeline.results)
    })
    client.query(pipeline)
  })
}

const encodeStatement = ({ sql: text, parameters }: Statement): EncodedStatement => ({
  text,
  name: statementName(text),
  values: parameters.map(toWire),
})

function toWire(value: unknown): WireValue {
  if (typeof value === 'string' || value === null) return value
  return value instanceof Date ? value.toISOString() : utils.prepareValue(value)
}

function stateOf(connection: pg.Connection): ConnectionState {
  const found = stateByConnection.get(connection)
  if (found) return found
  const known: ConnectionState = { parsed: new Set(), columns: new Map(), awaited: [] }
  // After an error Postgres skips the rest, so a name counts as parsed only after its ParseComplete.
  connection.on('parseComplete', () => {
    const name = known.awaited.shift()
    if (name !== undefined) known.parsed.add(name)
  })
  stateByConnection.set(connection, known)
  return known
}

/** Takes the place of pg's own query: that asks for the columns of every result and makes them anew. */
class Pipeline extends pg.Query<Row> {
  readonly results: Row[][] = []
  readonly #client: pg.ClientBase
  readonly #statements: readonly EncodedStatement[]
  #known: ConnectionState | undefined
  #rows: Row[] = []
  #columns: readonly Column[] | undefined
  #failure: Error | undefined

  constructor(
    client: pg.ClientBase,
    statements: readonly EncodedStatement[],
    done: (error: Error | null | undefined) => void,
  ) {
    super('', done)
    this.#client = client
    this.#statements = statements
  }

  override submit = (connection: pg.Connection): void => {
    const known = stateOf(connection)
    known.awaited = []
    this.#known = known
    const bytes = encodeMessages(this.#statements.map((statement) => toMessage(known, statement)))
    if (connection.stream.writable) connection.stream.write(bytes)
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#client.getTypeParser(dataTypeID, 'text') as Column['read'], // results are asked for as text
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure) return
    this.#columns ??= this.#knownColumns()
    try {
      this.#rows.push(toRow(this.#columns ?? [], fields))
    } catch (error) {
      this.#failure = error as Error // a type parser throws errors only
    }
  }

  handleCommandComplete(): void {
    const name = this.#current()?.name
    if (name !== undefined && !this.#known?.columns.has(name))
      this.#known?.columns.set(name, this.#columns ?? [])
    this.results.push(this.#rows)
    this.#rows = []
    this.#columns = undefined
  }

  handleReadyForQuery(): void {
    // pg keeps it there, replaces it to add a timeout, and its type definitions do not have it.
    const { callback } = this as unknown as { callback: (error: Error | null) => void }
    callback(this.#failure ?? null)
  }

  /** What follows an error was not parsed: the next ParseComplete belongs to another query. */
  end(): void {
    if (this.#known) this.#known.awaited = []
  }

  #current(): EncodedStatement | undefined {
    return this.#statements[this.results.length]
  }

  #knownColumns(): readonly Column[] | undefined {
    return this.#known?.columns.get(this.#current()?.name ?? '')
  }
}

function toMessage(known: ConnectionState, { text, name, values }: EncodedStatement): Message {
  const isParsed = name !== undefined && (known.parsed.has(name) || known.awaited.includes(name))
  if (!isParsed) known.awaited.push(name)
  return {
    name,
    text: isParsed ? undefined : text,
    values,
    describes: name === undefined || !known.columns.has(name),
  }
}

function toRow(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  const row: Row = {}
  for (const [index, { name, read }] of columns.entries()) {
    const text = fields[index] ?? null
    row[name] = text === null ? null : read(text)
  }
  return row
}
