import { Agent, request, type Dispatcher } from 'undici'
import type { z } from 'zod'
import { parseAnswer } from '../../../../connectors/kit/parse-answer.ts'
import { unavailable } from '../../../../lib/errors.ts'
import type { Person } from '../record.ts'
import type { YenteServer } from './record.ts'
import { hitsLimit, queriesOf, scoringWeights } from './rules.ts'
import { catalogAnswer, matchAnswer, type CatalogDataset, type ScoredEntity } from './schema.ts'

const matchLimitBytes = 4 * 1024 * 1024
/** The catalog describes each of some hundred datasets. */
const catalogLimitBytes = 32 * 1024 * 1024
const catalogTimeoutMs = 10_000
/** A search that finds none of them free waits, within its time limit. */
const connectionsLimit = 32

/** Asks a yente server. Every call fails with 503 unless it gets an answer that can be read, in time and in full. */
export interface YenteClient {
  search(person: Person): Promise<ScoredEntity[]>
  /** Undefined if the catalog has not changed since it was read last. */
  readCatalog(): Promise<CatalogDataset[] | undefined>
  checkReady(): Promise<void>
}

interface Call {
  method: 'GET' | 'POST'
  path: string
  timeoutMs: number
  limitBytes: number
  headers?: Readonly<Record<string, string>>
  body?: string
}

interface Answer {
  status: number
  etag: string | undefined
  text: string
}

/**
 * The client for connectors is not used: it marks a request that has sent something as one that may have moved money,
 * and refuses an answer of the size of a catalog.
 */
export function createYenteClient(server: YenteServer): YenteClient {
  const dispatcher = new Agent({ connections: connectionsLimit, pipelining: 1 })
  const send = (call: Call): Promise<Answer> => sendCall(server, dispatcher, call)
  let etag: string | undefined
  return {
    async search(person) {
      const queries = queriesOf(person)
      const answer = await send(matchCall(server, queries))
      const { responses } = readAnswer(answer, matchAnswer)
      return Object.keys(queries).flatMap(
        (name) => responses[name]?.results ?? failed('an answer is missing'),
      )
    },
    async readCatalog() {
      const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag }
      const limits = { timeoutMs: catalogTimeoutMs, limitBytes: catalogLimitBytes }
      const answer = await send({ method: 'GET', path: 'catalog', headers, ...limits })
      if (answer.status === 304 && etag !== undefined) return undefined
      const { datasets } = readAnswer(answer, catalogAnswer)
      etag = answer.etag
      return datasets
    },
    async checkReady() {
      const limits = { timeoutMs: server.timeoutMs, limitBytes: matchLimitBytes }
      const { status } = await send({ method: 'GET', path: 'readyz', ...limits })
      if (status !== 200) failed(`status ${status}`)
    },
  }
}

function matchCall(
  { dataset, algorithm, threshold, timeoutMs }: YenteServer,
  queries: ReturnType<typeof queriesOf>,
): Call {
  const options = new URLSearchParams({ algorithm, threshold: String(threshold), limit: String(hitsLimit) })
  return {
    method: 'POST',
    path: `match/${encodeURIComponent(dataset)}?${options.toString()}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queries, weights: scoringWeights }),
    timeoutMs,
    limitBytes: matchLimitBytes,
  }
}

async function sendCall(
  { url, apiKey }: YenteServer,
  dispatcher: Dispatcher,
  { method, path, headers, body, timeoutMs, limitBytes }: Call,
): Promise<Answer> {
  try {
    const response = await request(new URL(path, url.endsWith('/') ? url : `${url}/`), {
      method,
      headers: { ...headers, ...(apiKey !== undefined && { authorization: `ApiKey ${apiKey}` }) },
      body: body ?? null,
      dispatcher,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const etag = response.headers['etag']
    return {
      status: response.statusCode,
      etag: typeof etag === 'string' ? etag : undefined,
      text: await readBounded(response.body, limitBytes),
    }
  } catch (error) {
    return failed(reasonOf(error))
  }
}

class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

/** Leaving the loop early closes the connection. */
async function readBounded(body: AsyncIterable<Buffer>, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limitBytes) throw new AnswerTooLarge(`more than ${limitBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readAnswer<Value>({ status, text }: Answer, schema: z.ZodType<Value>): Value {
  if (status !== 200) return failed(`status ${status}`)
  return parseAnswer(text, schema) ?? failed('the answer cannot be read')
}

/** Neither what was sent nor what was answered is in it, because both contain names. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function failed(reason: string): never {
  throw unavailable(
    'The names could not be compared with the sanctions lists. Wait a moment and try again.',
    Object.assign(new Error(`the yente server cannot be used: ${reason}`), { code: reason }),
  )
}
