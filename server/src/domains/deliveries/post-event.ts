import type { Dispatcher } from 'undici'

export interface PostResult {
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  durationMs: number
}

const answerLimitMs = 10_000
const bodyLimitMs = 2_000
const bodyLimitBytes = 1024

/** From connect to status line in ten seconds; then the first kilobyte of the body, which is only for people to read. */
export async function postEvent(
  agent: Dispatcher,
  url: string,
  request: { headers: Record<string, string>; body: string },
): Promise<PostResult> {
  const startedAtMs = performance.now()
  const controller = new AbortController()
  const answerTimer = setTimeout(() => controller.abort(), answerLimitMs)
  const target = new URL(url)
  try {
    const response = await agent.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: controller.signal,
    })
    clearTimeout(answerTimer)
    const responseBody = await firstKilobyte(response.body, controller)
    return { responseStatus: response.statusCode, responseBody, error: null, durationMs: since(startedAtMs) }
  } catch (error) {
    return {
      responseStatus: null,
      responseBody: null,
      error: describe(error),
      durationMs: since(startedAtMs),
    }
  } finally {
    clearTimeout(answerTimer)
  }
}

const since = (startedAtMs: number): number => Math.round(performance.now() - startedAtMs)

/** Never waits for more than it keeps: a body that is large or drips is cut off. */
async function firstKilobyte(body: AsyncIterable<Buffer>, controller: AbortController): Promise<string> {
  const chunks: Buffer[] = []
  const timer = setTimeout(() => controller.abort(), bodyLimitMs)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      if (Buffer.concat(chunks).length >= bodyLimitBytes) break
    }
  } catch {
    // The status line decides; what came of the body until here is kept.
  } finally {
    clearTimeout(timer)
  }
  return printable(Buffer.concat(chunks).subarray(0, bodyLimitBytes).toString('utf8'))
}

/** Postgres stores no NUL. */
const printable = (text: string): string => text.replaceAll('\0', '')

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'AbortError') return 'no answer within 10 seconds'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
  return readable[code] ?? (code === '' ? 'the connection broke' : code)
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

const readable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'the host name does not resolve',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 seconds',
  REFUSED_ADDRESS: 'the host name resolves to an internal address',
}
