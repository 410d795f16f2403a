import type { ApiResponse } from './api-promise.ts'

export interface Page<Row> {
  data: Row[]
  /** Where the next page starts; undefined on the last page. */
  cursor: string | undefined
}

export interface PageSource<Row> {
  read: (cursor: string | undefined) => Promise<ApiResponse<Page<Row>>>
  csv: () => Promise<ReadableStream<Uint8Array>>
}

/** A list of any length. Iterate over it with `for await`; nothing is requested until then. */
export class Pages<Row> implements AsyncIterable<Row> {
  readonly #source: PageSource<Row>

  constructor(source: PageSource<Row>) {
    this.#source = source
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Row, undefined> {
    return new RowIterator(this.#source)
  }

  /** Reads at most `limit` rows, from as many pages as needed. */
  async toArray({ limit }: { limit: number }): Promise<Row[]> {
    const rows: Row[] = []
    if (limit <= 0) return rows
    for await (const row of this) {
      rows.push(row)
      if (rows.length >= limit) break
    }
    return rows
  }

  /** Reads one page, with the cursor of the next; its length is the query's `limit`. */
  async firstPage(): Promise<Page<Row>> {
    return (await this.#source.read(undefined)).data
  }

  /** Streams the whole list as CSV, with the same filters. */
  csv(): Promise<ReadableStream<Uint8Array>> {
    return this.#source.csv()
  }
}

class RowIterator<Row> implements AsyncIterableIterator<Row, undefined> {
  readonly #source: PageSource<Row>
  #rows: Row[] = []
  #index = 0
  #cursor: string | undefined
  #isLastPage = false
  #isClosed = false
  /** Calls of `next` wait for each other, so that concurrent calls share one request. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(source: PageSource<Row>) {
    this.#source = source
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Row, undefined>> {
    const result = this.#turn.then(() => this.#advance())
    this.#turn = result.catch(() => undefined)
    return result
  }

  return(): Promise<IteratorResult<Row, undefined>> {
    this.#isClosed = true
    return Promise.resolve({ done: true, value: undefined })
  }

  async #advance(): Promise<IteratorResult<Row, undefined>> {
    while (this.#index >= this.#rows.length || this.#isClosed) {
      if (this.#isLastPage || this.#isClosed) return { done: true, value: undefined }
      const { data } = await this.#source.read(this.#cursor)
      this.#rows = data.data
      this.#index = 0
      this.#cursor = data.cursor
      this.#isLastPage = data.cursor === undefined
    }
    const row = this.#rows[this.#index++] as Row // the index is below the length
    return { done: false, value: row }
  }
}
