import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { buildServer } from '../../server/src/http/server.ts'
import { readConfig } from '../../server/src/main/config.ts'
import { createDeps } from '../../server/src/main/deps.ts'
import { uuidPattern, type Recording, type RecordedQuery } from './recording.ts'

type Sent = { client: object; role: string; query: RecordedQuery }

export type Payment = { headers: Record<string, string>; path: string; body: string }

/** Sends payments through the API in this process and notes each statement on its way to Postgres. */
export async function captureStatements(env: Record<string, string>, payment: Payment): Promise<Recording> {
  const config = readConfig(env)
  const deps = createDeps(config)
  const app = await buildServer(deps, {
    publicUrl: config.PUBLIC_URL,
    bodyLimitBytes: config.BODY_LIMIT_BYTES,
    trustProxy: false,
    rateLimit: { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST },
  })
  const pay = async (): Promise<void> => {
    const { headers, path: url, body } = payment
    const payload = body.replaceAll('{uuid}', randomUUID())
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    if (answer.statusCode !== 200) throw new Error(`the payment was refused: ${answer.body}`)
  }
  try {
    // The first payment fills the caches, as all but one in thousands find them.
    await pay()
    const first = await recordQueries(pay)
    const second = await recordQueries(pay)
    return { groups: groupsOf(second), freshIds: freshIdsOf(first, second) }
  } finally {
    await app.close()
    await deps.close()
  }
}

async function recordQueries(work: () => Promise<void>): Promise<Sent[]> {
  const sent: Sent[] = []
  // oxlint-disable-next-line typescript/unbound-method -- called below with the client it belongs to
  const original: (...args: unknown[]) => unknown = pg.Client.prototype.query
  const watching = function (this: pg.Client, ...args: unknown[]): unknown {
    sent.push({ client: this, role: this.user ?? '', query: queryOf(args[0]) })
    return original.apply(this, args)
  }
  Object.assign(pg.Client.prototype, { query: watching })
  try {
    await work()
  } finally {
    Object.assign(pg.Client.prototype, { query: original })
  }
  return sent
}

function queryOf(query: unknown): RecordedQuery {
  if (typeof query === 'string') return { text: query }
  // What our database layer hands to pg.
  const { text, name, values } = query as { text: string; name?: string; values: unknown[] }
  const recorded = values.map((value) => {
    if (value instanceof Date) return { kind: 'now' as const }
    if (Buffer.isBuffer(value)) return { kind: 'bytes' as const, base64: value.toString('base64') }
    return { kind: 'plain' as const, value }
  })
  return { text, ...(name !== undefined && { name }), values: recorded }
}

/** What is sent between begin and commit goes out in one piece; a statement alone is a piece of its own. */
function groupsOf(sent: readonly Sent[]): Recording['groups'] {
  const groups: Recording['groups'] = []
  const open = new Map<object, RecordedQuery[]>()
  for (const { client, role, query } of sent) {
    const queries = open.get(client) ?? []
    queries.push(query)
    const isInTransaction = queries[0]?.text.startsWith('begin')
    if (isInTransaction && query.text !== 'commit') open.set(client, queries)
    else {
      open.delete(client)
      groups.push({ role, queries })
    }
  }
  return groups
}

/** Ids that differ from one payment to the next, wherever they stand. */
function freshIdsOf(first: readonly Sent[], second: readonly Sent[]): string[] {
  const idsOf = (sent: readonly Sent[]): Set<string> =>
    new Set(JSON.stringify(sent.map(({ query }) => query)).match(uuidPattern))
  return [...idsOf(second).difference(idsOf(first))]
}
