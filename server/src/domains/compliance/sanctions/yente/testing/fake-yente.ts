import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { CatalogDataset } from '../schema.ts'

/** An entity as yente returns it, without its score. */
export interface FakeEntity {
  id: string
  schema: string
  properties: Readonly<Record<string, readonly unknown[]>>
  datasets?: readonly string[]
}

/** How the server answers a search, or a request for its catalog: with an object, if it is one. */
type Behaviour = 'answers' | 'hangs' | 'fails' | 'malformed' | 'huge' | object

interface Seen {
  method: string
  path: string
  authorization: string | undefined
  body: string
}

/** A yente server over real HTTP, as its documentation and its source describe it. */
interface FakeYente {
  url: string
  entities: FakeEntity[]
  datasets: CatalogDataset[]
  search: Behaviour
  catalog: Behaviour
  apiKey: string | undefined
  /** The requests so far. */
  seen: Seen[]
  /** The connections so far. */
  connections: number
  close(): Promise<void>
}

const matchBody = z.object({
  weights: z.record(z.string(), z.number()).default({}),
  queries: z.record(
    z.string(),
    z.object({ schema: z.string(), properties: z.record(z.string(), z.array(z.string())) }),
  ),
})
type Query = z.infer<typeof matchBody>['queries'][string]

/** Whom a query of a schema finds. A date of birth is a property of people only. */
const foundBy: Readonly<Record<string, readonly string[]>> = {
  LegalEntity: ['LegalEntity', 'Person', 'Organization', 'Company', 'PublicBody'],
  Person: ['Person', 'LegalEntity'],
  Organization: ['Organization', 'LegalEntity', 'Company', 'PublicBody'],
}
const weights = { country_mismatch: -0.2, dob_year_disjoint: -0.15, dob_day_disjoint: -0.25 }
const defaultThreshold = 0.7
const defaultLimit = 5
const chunk = ' '.repeat(64 * 1024)

export async function startFakeYente(): Promise<FakeYente> {
  const fake: FakeYente = {
    url: '',
    entities: [],
    datasets: [
      { name: 'sanctions', version: '20260127125418-igl', index_version: '20260127125418-igl', children: [] },
    ],
    search: 'answers',
    catalog: 'answers',
    apiKey: undefined,
    seen: [],
    connections: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    answer(fake, request, response).catch(() => response.destroy())
  })
  server.on('connection', () => fake.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server
  return fake
}

async function answer(fake: FakeYente, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const part of request) chunks.push(part as Buffer) // a request without an encoding
  const { method = '', url = '' } = request
  const { authorization } = request.headers
  const body = Buffer.concat(chunks).toString()
  fake.seen.push({ method, path: url, authorization, body })
  const { pathname, searchParams } = new URL(url, fake.url)
  if (method === 'GET' && pathname === '/readyz') return send(response, 200, { status: 'ok' })
  if (method === 'GET' && pathname === '/catalog') {
    if (fake.catalog === 'answers') return sendCatalog(fake, request, response)
    return misbehave(fake.catalog, response)
  }
  const dataset = pathname.slice('/match/'.length)
  if (method !== 'POST' || pathname !== `/match/${dataset}`)
    return send(response, 404, { detail: 'Not Found' })
  if (fake.apiKey !== undefined && authorization !== `ApiKey ${fake.apiKey}`)
    return send(response, 401, { detail: 'No API key provided.' })
  if (!fake.datasets.some(({ name }) => name === dataset))
    return send(response, 404, { detail: 'No such dataset.' })
  if (fake.search !== 'answers') return misbehave(fake.search, response)
  if (!['best', 'logic-v1', 'logic-v2'].includes(searchParams.get('algorithm') ?? 'best'))
    return send(response, 400, { detail: 'Invalid algorithm' })
  return send(response, 200, matchesOf(fake, searchParams, matchBody.parse(JSON.parse(body))))
}

function sendCatalog({ datasets }: FakeYente, request: IncomingMessage, response: ServerResponse): void {
  const etag = `"${datasets.map((one) => `${one.name}:${one.version}:${one.index_version}`).join()}"`
  response.setHeader('etag', etag)
  if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
  else send(response, 200, { datasets, current: [], outdated: [], index_stale: false })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Each of them names the person, as a server that is broken may. */
function misbehave(how: Exclude<Behaviour, 'answers'>, response: ServerResponse): void {
  if (how === 'fails') send(response, 500, { detail: 'Cannot parse example entity: Oluakin Nduezemi' })
  if (how === 'malformed') response.writeHead(200).end('Oluakin Nduezemi is not JSON')
  if (how === 'huge') pour(response)
  if (typeof how === 'object') send(response, 200, how)
}

function pour(response: ServerResponse): void {
  if (response.destroyed) return
  response.write(chunk, () => pour(response))
}

function matchesOf(fake: FakeYente, options: URLSearchParams, body: z.infer<typeof matchBody>): unknown {
  const threshold = Number(options.get('threshold') ?? defaultThreshold)
  const limit = Number(options.get('limit') ?? defaultLimit)
  const responses = Object.entries(body.queries).map(([name, query]) => {
    const results = fake.entities
      .filter(({ schema }) => foundBy[query.schema]?.includes(schema))
      .map((entity) => {
        const score = scoreOf(query, entity, { ...weights, ...body.weights })
        const { id, schema, properties, datasets = ['sanctions'] } = entity
        const caption = properties['name']?.[0]
        return { id, caption, schema, properties, datasets, score, match: score >= threshold }
      })
      .filter(({ score }) => score > Math.min(threshold, defaultThreshold))
    const total = { value: results.filter(({ match }) => match).length, relation: 'eq' }
    return [name, { status: 200, results: results.slice(0, limit), total, query }]
  })
  return { responses: Object.fromEntries(responses), limit }
}

/** Only for names that are equal, or of which all words but one are. */
function scoreOf({ properties }: Query, entity: FakeEntity, scale: Readonly<Record<string, number>>): number {
  const listed = (name: string): string[] =>
    (entity.properties[name] ?? []).filter((value) => typeof value === 'string')
  const asked = (name: string): string[] => properties[name] ?? []
  const scores = asked('name').flatMap((one) => listed('name').map((other) => likeness(one, other)))
  let score = Math.max(0, ...scores)
  if (score === 0) return 0
  if (isDisjoint(asked('country'), listed('country'))) score += scale['country_mismatch'] ?? 0
  if (isDisjoint(asked('birthDate'), listed('birthDate'))) score += scale['dob_day_disjoint'] ?? 0
  const yearOf = (date: string): string => date.slice(0, 4)
  if (isDisjoint(asked('birthDate').map(yearOf), listed('birthDate').map(yearOf)))
    score += scale['dob_year_disjoint'] ?? 0
  return score
}

const isDisjoint = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((value) => other.includes(value))

function likeness(one: string, other: string): number {
  const words = one.toLowerCase().split(' ')
  const others = new Set(other.toLowerCase().split(' '))
  const missing = words.filter((word) => !others.has(word)).length
  if (words.length !== others.size) return 0
  return missing === 0 ? 1 : missing === 1 && words.length > 2 ? 0.8 : 0
}
