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
  const deps = await createDeps(config)
  await deps.sanctions.refresh()
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

const codes = { parse: 0x50, bind: 0x42, sync: 0x53 } as const

/** Taps the sockets below pg, so it records exactly what Postgres receives. */
function tapConnections(): { groups: Groups; remove(): void } {
  const groups: Groups = []
  const tapped = new WeakSet<pg.Connection>()
  const original: unknown = Reflect.get(pg.Client.prototype, 'query')
  if (typeof original !== 'function') throw new Error('pg has no query')
  const tapping = function (this: pg.Client & { connection: pg.Connection }, ...args: unknown[]): unknown {
    if (!tapped.has(this.connection)) {
      tapped.add(this.connection)
      tapStream(this.connection.stream, this.user ?? '', groups)
    }
    return Reflect.apply(original, this, args)
  }
  Reflect.set(pg.Client.prototype, 'query', tapping)
  return { groups, remove: () => void Reflect.set(pg.Client.prototype, 'query', original) }
}

function tapStream(stream: pg.Connection['stream'], role: string, groups: Groups): void {
  const texts = new Map<string, string>()
  let open: RecordedStatement[] = []
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean // every overload is passed on
  const tapping = (...args: unknown[]): boolean => {
    const [bytes] = args
    for (const { code, body } of Buffer.isBuffer(bytes) ? messagesIn(bytes) : []) {
      if (code === codes.parse) {
        const [name, text] = body.toString('utf8').split('\0')
        texts.set(name ?? '', text ?? '')
      } else if (code === codes.bind) open.push(statementIn(body, texts))
      else if (code === codes.sync) {
        groups.push({ role, statements: open })
        open = []
      }
    }
    return write(...args)
  }
  Reflect.set(stream, 'write', tapping)
}

function* messagesIn(bytes: Buffer): Generator<{ code: number; body: Buffer }> {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    yield { code: bytes[at] ?? 0, body: bytes.subarray(at + 5, at + 1 + bytes.readInt32BE(at + 1)) }
}

/** Reads a Bind: the names of portal and statement, the formats of the values, the values. */
function statementIn(body: Buffer, texts: ReadonlyMap<string, string>): RecordedStatement {
  const portalEnd = body.indexOf(0)
  const nameEnd = body.indexOf(0, portalEnd + 1)
  const name = body.toString('utf8', portalEnd + 1, nameEnd)
  const count = body.readInt16BE(nameEnd + 1)
  const formats = Array.from({ length: count }, (_, index) => body.readInt16BE(nameEnd + 3 + 2 * index))
  let at = nameEnd + 5 + 2 * count
  const values = formats.map((format): RecordedValue => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    const value = body.subarray(at, at + length)
    at += length
    return format === 1 ? { base64: value.toString('base64') } : value.toString('utf8')
  })
  return { text: texts.get(name) ?? '', values }
}
