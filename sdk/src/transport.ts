import { apiPromise, type ApiPromise, type ApiResponse } from './api-promise.ts'
import { ConnectionError, type ApiError } from './api-error.ts'
import { callerOf, type Caller } from './caller.ts'
import { credentialHeaders } from './credentials.ts'
import { CsvFile } from './csv-file.ts'
import { readJson, readUnknownJson, writeJson } from './decimal-json.ts'
import { errorOf } from './error-of.ts'
import { targetOf, type Input, type Operation } from './operation.ts'
import {
  systemRuntime,
  type CallOptions,
  type ClientOptions,
  type LogEntry,
  type Runtime,
} from './options.ts'
import { mayHaveArrived, finalError } from './outcome.ts'
import { Pages, type Page } from './pages.ts'
import { inProgressCode, parseRetryAfter, retryDelayMs, type Progress } from './retry.ts'

const defaultTimeoutMs = 60_000
const defaultMaxRetries = 2
const keyBytes = 16

interface Body {
  contentType: string
  content: string
}

interface Request {
  operation: Operation
  target: string
  accept: string
  body: Body | undefined
  idempotencyKey: string | undefined
  options: CallOptions
}

interface Received {
  response: Response
  /** Undefined if the response is streamed; otherwise already read. */
  text: string
}

type Result =
  | { answer: Received; error?: undefined }
  | { answer?: undefined; error: ApiError | ConnectionError }

/** Sends and retries requests. Private fields are hidden from `inspect` and `JSON.stringify`. */
export class Transport {
  readonly baseUrl: string
  readonly #credentials: () => Promise<Record<string, string>>
  readonly #fetch: typeof fetch
  readonly #log: (entry: LogEntry) => void
  readonly #runtime: Runtime
  readonly #timeoutMs: number
  readonly #maxRetries: number

  constructor(options: ClientOptions) {
    this.baseUrl = baseUrlOf(options.baseUrl)
    this.#credentials = credentialHeaders(options)
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
    this.#log = options.log ?? (() => undefined)
    this.#runtime = { ...systemRuntime, ...options.runtime }
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    this.#maxRetries = options.maxRetries ?? defaultMaxRetries
  }

  get runtime(): Runtime {
    return this.#runtime
  }

  /** The generated methods declare the type `Data`. */
  call<Data>(operation: Operation, input: Input): ApiPromise<Data> {
    const caller = callerOf()
    return apiPromise(this.#readData<Data>(operation, input, caller))
  }

  pages<Row>(operation: Operation, input: Input): Pages<Row> {
    const caller = callerOf()
    return new Pages<Row>({
      read: (cursor) => this.#readPage<Row>(operation, withCursor(operation, input, cursor), caller),
      csv: async () => (await this.#stream(operation, input, caller)).data,
    })
  }

  stream(operation: Operation, input: Input): ApiPromise<ReadableStream<Uint8Array>> {
    const caller = callerOf()
    return apiPromise(this.#stream(operation, input, caller))
  }

  async #readData<Data>(operation: Operation, input: Input, caller: Caller): Promise<ApiResponse<Data>> {
    const { response, text } = await this.#send(operation, input, 'application/json', caller)
    const body = text === '' ? undefined : parse(operation, text)
    const data = operation.envelope === undefined ? body : fieldOf(body, operation.envelope)
    return { ...responseOf(response), data: data as Data } // the OpenAPI document describes it
  }

  async #readPage<Row>(operation: Operation, input: Input, caller: Caller): Promise<ApiResponse<Page<Row>>> {
    const { response, text } = await this.#send(operation, input, 'application/json', caller)
    const body = parse(operation, text)
    const cursor = fieldOf(fieldOf(body, 'meta'), operation.cursor ?? '')
    const page = {
      data: fieldOf(body, operation.envelope ?? '') as Row[], // the OpenAPI document describes it
      cursor: typeof cursor === 'string' ? cursor : undefined,
    }
    return { ...responseOf(response), data: page }
  }

  async #stream(
    operation: Operation,
    input: Input,
    caller: Caller,
  ): Promise<ApiResponse<ReadableStream<Uint8Array>>> {
    const { response } = await this.#send(operation, input, 'text/csv', caller)
    return { ...responseOf(response), data: response.body ?? new ReadableStream() }
  }

  async #send(operation: Operation, input: Input, accept: string, caller: Caller): Promise<Received> {
    const { options = {} } = input
    const request: Request = {
      operation,
      target: targetOf(operation, input),
      accept,
      body: bodyOf(operation, input.body),
      idempotencyKey: operation.method === 'POST' ? (options.idempotencyKey ?? newKey()) : undefined,
      options,
    }
    const progress: Progress = {
      retries: 0,
      maxRetries: options.maxRetries ?? this.#maxRetries,
      waits: 0,
      waitedMs: 0,
    }
    let hasArrived = false
    for (;;) {
      const { answer, error } = await this.#attempt(request, progress)
      if (answer) return answer
      const delayMs = retryDelayMs(attemptOf(error), progress, this.#runtime.random)
      if (delayMs === undefined) throw caller.blame(finalError(request, error, hasArrived))
      hasArrived ||= mayHaveArrived(error)
      count(progress, attemptOf(error).code, delayMs)
      await this.#runtime.sleep(delayMs, options.signal)
    }
  }

  async #attempt(request: Request, { retries, waits }: Progress): Promise<Result> {
    const { operation, options } = request
    const headers = await this.#headersOf(request)
    const startedAt = this.#runtime.now()
    let response: Response | undefined
    try {
      const timeout = AbortSignal.timeout(options.timeoutMs ?? this.#timeoutMs)
      response = await this.#fetch(`${this.baseUrl}${request.target}`, {
        method: operation.method,
        headers,
        ...(request.body && { body: request.body.content }),
        // A redirect would send the API key to another host.
        redirect: 'manual',
        signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      })
      const isStream = response.ok && request.accept === 'text/csv'
      const text = isStream ? '' : await response.text()
      if (response.ok) return { answer: { response, text } }
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), this.#runtime.now())
      const { status } = response
      return { error: errorOf({ status, requestId: requestIdOf(response), retryAfterMs, text }) }
    } catch (cause) {
      options.signal?.throwIfAborted()
      return { error: new ConnectionError(`No response from ${this.baseUrl}: ${reasonOf(cause)}`, { cause }) }
    } finally {
      this.#log({
        operation: operation.id,
        method: operation.method,
        path: request.target,
        attempt: retries + waits + 1,
        status: response?.status,
        requestId: response && requestIdOf(response),
        durationMs: this.#runtime.now() - startedAt,
      })
    }
  }

  async #headersOf({ accept, body, idempotencyKey }: Request): Promise<Record<string, string>> {
    return {
      ...(await this.#credentials()),
      accept,
      ...(body && { 'content-type': body.contentType }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }
  }
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  )
    throw new TypeError('baseUrl must be an http or https URL without credentials or a query')
  return `${url.origin}${url.pathname}`.replace(/\/$/, '')
}

function bodyOf({ sends }: Operation, body: unknown): Body | undefined {
  if (body === undefined) return undefined
  if (body instanceof CsvFile) return { contentType: 'text/csv', content: body.content }
  return { contentType: 'application/json', content: writeJson(body, sends) }
}

const withCursor = (operation: Operation, input: Input, cursor: string | undefined): Input =>
  cursor === undefined ? input : { ...input, query: { ...input.query, [operation.cursor ?? '']: cursor } }

function count(progress: Progress, code: string | undefined, delayMs: number): void {
  if (code === inProgressCode) {
    progress.waits++
    progress.waitedMs += delayMs
  } else progress.retries++
}

const attemptOf = (error: ApiError | ConnectionError) =>
  error instanceof ConnectionError
    ? { status: undefined, code: undefined, retryAfterMs: undefined }
    : { status: error.status, code: error.code, retryAfterMs: error.retryAfterMs }

const parse = ({ receives }: Operation, text: string): unknown =>
  receives === undefined ? readUnknownJson(text) : readJson(text, receives)

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined // any object has fields

const requestIdOf = (response: Response): string | undefined =>
  response.headers.get('x-request-id') ?? undefined

const responseOf = (response: Response): Omit<ApiResponse<never>, 'data'> => ({
  status: response.status,
  headers: response.headers,
  requestId: requestIdOf(response),
})

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'timeout'
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}

/** `crypto.randomUUID` does not exist on pages that are not served over TLS. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(keyBytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
