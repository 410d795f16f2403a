import type { Dispatcher } from 'undici'

export interface PostResult {
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  durationMs: number
}

export interface PostLimits {
  /** From the connection to the status line. */
  answerMs: number
  /** For the body, which is stored for debugging only. */
  bodyMs: number
}

export const defaultPostLimits: PostLimits = { answerMs: 10_000, bodyMs: 2_000 }
const bodyLimitBytes = 1024

/** Sends the event. The status line decides, a redirect is not followed, and the first kilobyte of the body is stored. */
export const postEvent = (
  { egressAgent, postLimits }: { egressAgent: Dispatcher; postLimits: PostLimits },
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<PostResult> =>
  new Promise((resolve) => {
    const exchange = new Exchange(postLimits, resolve)
    try {
      const { origin, pathname, search } = new URL(url)
      egressAgent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, exchange)
    } catch (error) {
      exchange.fail(error)
    }
  })

/** One call. It is its own handler: `request` would make a stream of the answer, which costs more than the call. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (result: PostResult) => void
  readonly #bodyMs: number
  readonly #startedAtMs = performance.now()
  readonly #chunks: Buffer[] = []
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #size = 0
  #hasEnded = false

  constructor({ answerMs, bodyMs }: PostLimits, settle: (result: PostResult) => void) {
    this.#settle = settle
    this.#bodyMs = bodyMs
    this.#timer = setTimeout(() => this.#abort(), answerMs)
  }

  /** undici calls it when a connection is ready, immediately before it writes the request to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that waits for a connection cannot be withdrawn, so it is aborted here, before a byte is written.
    if (this.#hasEnded) controller.abort(noAnswer())
    else this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#abort(), this.#bodyMs)
  }

  /** Stops after the first kilobyte, so that a large body costs nothing. */
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, bodyLimitBytes - this.#size))
    this.#size += chunk.length
    if (this.#size >= bodyLimitBytes) this.#abort()
  }

  onResponseEnd(): void {
    this.#end(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(error: unknown): void {
    this.#end(describe(error))
  }

  #abort(): void {
    const error = noAnswer()
    this.fail(error)
    this.#controller?.abort(error)
  }

  /** An interrupted body does not change the result; the part that arrived is stored. */
  #end(error: string | null): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    const durationMs = Math.round(performance.now() - this.#startedAtMs)
    if (this.#status === undefined)
      return this.#settle({ responseStatus: null, responseBody: null, error, durationMs })
    const responseBody = printable(Buffer.concat(this.#chunks).toString('utf8'))
    this.#settle({ responseStatus: this.#status, responseBody, error: null, durationMs })
  }
}

const noAnswer = (): Error => new DOMException('no answer in time', 'AbortError')

/** Postgres text cannot hold NUL. */
const printable = (text: string): string => text.replaceAll('\0', '')

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'AbortError') return 'no answer in time'
  if (error.name === 'HTTPParserError') return 'the answer was not HTTP'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
  return readable[code] ?? (code === '' ? 'the connection broke' : code)
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

const readable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'the host name does not resolve',
  ENODATA: 'the host name does not resolve',
  ETIMEOUT: 'the name server does not answer',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  REFUSED_ADDRESS: 'endpoint_url leads to an internal address',
  PROXY_REFUSED: 'our egress proxy did not connect to the endpoint',
  PROXY_UNREACHABLE: 'our egress proxy did not answer',
}
