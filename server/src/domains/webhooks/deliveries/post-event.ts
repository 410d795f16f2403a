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
  /** For the body, which is kept for debugging only. */
  bodyMs: number
}

export const defaultPostLimits: PostLimits = { answerMs: 10_000, bodyMs: 2_000 }
const bodyLimitBytes = 1024

/** Sends the event. The status line decides, a redirect is not followed, and the first kilobyte of the body is kept. */
export async function postEvent(
  { egressAgent, postLimits }: { egressAgent: Dispatcher; postLimits: PostLimits },
  url: string,
  request: { headers: Record<string, string>; body: string },
): Promise<PostResult> {
  const startedAtMs = performance.now()
  const controller = new AbortController()
  const answerTimer = setTimeout(() => controller.abort(), postLimits.answerMs)
  const target = new URL(url)
  try {
    const response = await egressAgent.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: controller.signal,
    })
    clearTimeout(answerTimer)
    const bodyTimer = setTimeout(() => controller.abort(), postLimits.bodyMs)
    const responseBody = await firstKilobyte(response.body).finally(() => clearTimeout(bodyTimer))
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

/** Stops reading after the first kilobyte, so that a large body costs nothing. The caller's timer bounds a slow one. */
async function firstKilobyte(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, bodyLimitBytes - bytes))
      bytes += chunk.length
      if (bytes >= bodyLimitBytes) break
    }
  } catch {
    // An interrupted body does not change the result: what has arrived is kept.
  }
  return printable(Buffer.concat(chunks).toString('utf8'))
}

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
