import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { buildServer } from '@switchyard/server/http/server.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { apiRoutes } from '@switchyard/server/main/routes.ts'
import { uuidPattern, type RecordedStatement, type RecordedValue, type Recording } from './recording.ts'

type Payment = {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  path: string
  body: string
}

type Groups = Recording['groups']

/** Sends payments through an API in this process and records each statement that is sent to Postgres. */
export async function captureStatements(env: Record<string, string>, payment: Payment): Promise<Recording> {
  const config = readConfig({ ...env, LOG_LEVEL: 'silent' })
  const tap = tapConnections()
  const deps = createDeps(config)
  const app = await buildServer(
    deps,
    {
      publicUrl: config.PUBLIC_URL,
      bodyLimitBytes: config.BODY_LIMIT_BYTES,
      trustProxy: [],
      rateLimit: { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST },
    },
    apiRoutes(deps),
  )
  const pay = async (): Promise<Groups> => {
    const { method = 'POST', headers, path: url, body } = payment
    const payload = body.replaceAll('{uuid}', randomUUID())
    tap.groups.length = 0
    const answer = await app.inject({ method, url, headers, ...(method === 'POST' && { payload }) })
    if (answer.statusCode !== 200) throw new Error(`the payment was refused: ${answer.body}`)
    return [...tap.groups]
  }
  try {
    // The first payment fills the caches.
    await pay()
    const [first, second] = [await pay(), await pay()]
    return { groups: second, freshIds: [...idsIn(second).difference(idsIn(first))] }
  } finally {
    tap.remove()
    await app.close()
    await deps.close()
  }
}

const idsIn = (groups: Groups): Set<string> => new Set(JSON.stringify(groups).match(uuidPattern))

type Look = (self: never, ...args: never[]) => void
type WireValue = string | Buffer | null
type Bind = { statement?: string; values: WireValue[]; valueMapper?: (value: unknown) => WireValue }

/** Taps the connection between pg and its socket, so it records exactly what Postgres receives. */
function tapConnections(): { groups: Groups; remove(): void } {
  const groups: Groups = []
  const texts = new Map<string, string>()
  const open = new WeakMap<pg.Connection, RecordedStatement[]>()
  const roles = new WeakMap<pg.Connection, string>()
  const restores = [
    before(pg.Connection.prototype, 'parse', (_self, parsed: { name?: string; text: string }) => {
      texts.set(parsed.name ?? '', parsed.text)
    }),
    before(pg.Connection.prototype, 'bind', (connection: pg.Connection, bound: Bind) => {
      const { statement = '', values, valueMapper } = bound
      const text = texts.get(statement) ?? ''
      const recorded = {
        text,
        values: values.map((value) => recordedValue(valueMapper ? valueMapper(value) : value)),
      }
      open.set(connection, [...(open.get(connection) ?? []), recorded])
    }),
    before(pg.Connection.prototype, 'sync', (connection: pg.Connection) => {
      groups.push({ role: roles.get(connection) ?? '', statements: open.get(connection) ?? [] })
      open.delete(connection)
    }),
    before(pg.Client.prototype, 'query', (client: pg.Client & { connection: pg.Connection }) => {
      roles.set(client.connection, client.user ?? '')
    }),
  ]
  return { groups, remove: () => restores.forEach((restore) => restore()) }
}

/** Calls the observer before a method; returns a function that restores the method. */
function before(target: object, name: string, look: Look): () => void {
  const original: unknown = Reflect.get(target, name)
  if (typeof original !== 'function') throw new Error(`pg has no ${name}`)
  const looking = function (this: never, ...args: never[]): unknown {
    look(this, ...args)
    return Reflect.apply(original, this, args)
  }
  Reflect.set(target, name, looking)
  return () => {
    Reflect.set(target, name, original)
  }
}

const recordedValue = (value: WireValue): RecordedValue =>
  Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value
