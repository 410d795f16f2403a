import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import pg from 'pg'

interface CopyMessage {
  chunk: Buffer
}

/** pg's type definitions leave out what COPY needs. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

type DoneCallback = (error: Error | null | undefined) => void

class Copy extends pg.Query<never> {
  readonly #text: string
  #connection: pg.Connection | undefined
  rows = 0

  constructor(text: string, done: DoneCallback) {
    super('', done)
    this.#text = text
  }

  override submit = (connection: pg.Connection): void => {
    this.#connection = connection
    connection.query(this.#text)
  }

  protected get connection(): pg.Connection {
    if (!this.#connection) throw new Error('the copy was not submitted')
    return this.#connection
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(text.split(' ')[1])
  }

  handleReadyForQuery(): void {
    // pg keeps it there, and its type definitions do not have it.
    const { callback } = this as unknown as { callback: DoneCallback }
    callback(null)
  }
}

class CopyOut extends Copy {
  readonly #output: PassThrough

  constructor(text: string, output: PassThrough, done: DoneCallback) {
    super(text, done)
    this.#output = output
  }

  handleCopyData({ chunk }: CopyMessage): void {
    // The chunk is in a buffer that pg reuses. Chunks for a reader that has failed are dropped.
    if (this.#output.destroyed || this.#output.write(Buffer.from(chunk))) return
    const { stream } = this.connection
    if (stream.isPaused()) return
    stream.pause()
    this.#output.once('drain', () => this.resume())
  }

  resume(): void {
    this.connection.stream.resume()
  }
}

class CopyIn extends Copy {
  readonly #input: Readable

  constructor(text: string, input: Readable, done: DoneCallback) {
    super(text, done)
    this.#input = input
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch((error: unknown) => connection.sendCopyFail(String(error)))
  }

  async #send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.#input) {
      connection.sendCopyFromChunk(chunk as Buffer) // the streams that are copied are binary
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  }
}

/** What a `copy … to stdout` writes, and how many rows that were once it has ended. */
export function copyOut(client: pg.Client, text: string): { output: Readable; rows: Promise<number> } {
  const output = new PassThrough()
  const rows = new Promise<number>((resolve, reject) => {
    const copy = new CopyOut(text, output, (error) => {
      if (error) {
        output.destroy(error)
        reject(error)
        return
      }
      output.end()
      resolve(copy.rows)
    })
    // A stream that has ended or failed emits no more drain, and the connection would wait for ever.
    output.once('close', () => copy.resume())
    client.query(copy)
  })
  return { output, rows }
}

/** Feeds a `copy … from stdin`, and returns how many rows were written. */
export const copyIn = (client: pg.Client, text: string, input: Readable): Promise<number> =>
  new Promise((resolve, reject) => {
    const copy = new CopyIn(text, input, (error) => (error ? reject(error) : resolve(copy.rows)))
    client.query(copy)
  })
