import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { uuidPattern, type RecordedQuery, type RecordedValue, type Recording } from './recording.ts'

/** What Postgres alone would allow: the statements of payments, from a script that does nothing else. */
type Options = {
  recordingFile: string
  urls: Record<string, string>
  poolSize: number
  workers: number
  warmUpSeconds: number
  seconds: number
}

type Payment = readonly string[]
type Build = (payment: Payment) => pg.QueryConfig | string

// Written by initiate.ts.
const options = JSON.parse(process.argv[2] ?? '') as Options
const { groups, freshIds } = JSON.parse(readFileSync(options.recordingFile, 'utf8')) as Recording // as above

const pools = new Map(
  Object.entries(options.urls).map(([role, connectionString]) => [
    role,
    new pg.Pool({ connectionString, max: options.poolSize, pipeline: true }),
  ]),
)
const makers = freshIds.map((id) => (id[14] === '7' ? randomUUIDv7 : randomUUID))

function valueBuilder(value: RecordedValue): (payment: Payment) => unknown {
  if (value.kind === 'now') return () => new Date()
  if (value.kind === 'bytes') {
    const bytes = Buffer.from(value.base64, 'base64')
    return () => bytes
  }
  const text = value.value
  if (typeof text !== 'string') return () => text
  const ids = (text.match(uuidPattern) ?? []).map((id) => freshIds.indexOf(id))
  if (ids.every((index) => index < 0)) return () => text
  const known = text.match(uuidPattern) ?? []
  const between = text.split(uuidPattern)
  const idAt = (payment: Payment, position: number): string =>
    payment[ids[position] ?? -1] ?? known[position] ?? ''
  return (payment) =>
    between.map((part, index) => part + (index < ids.length ? idAt(payment, index) : '')).join('')
}

function queryBuilder({ text, name, values }: RecordedQuery): Build {
  if (values === undefined) return () => text
  const builders = values.map(valueBuilder)
  return (payment) => ({
    text,
    ...(name !== undefined && { name }),
    values: builders.map((build) => build(payment)),
  })
}

const steps = groups.map(({ role, queries }) => {
  const pool = pools.get(role)
  if (!pool) throw new Error(`no address for ${role}`)
  return { pool, builders: queries.map(queryBuilder) }
})

async function pay(): Promise<void> {
  const payment = makers.map((make) => make())
  for (const { pool, builders } of steps) {
    const client = await pool.connect()
    const results = await Promise.all(builders.map((build) => client.query(build(payment))))
    client.release()
    const last = results.at(-1)
    if (results.length > 1 && last?.command !== 'COMMIT')
      throw new Error('a replayed payment was rolled back')
  }
}

const countFrom = performance.now() + options.warmUpSeconds * 1_000
const endAt = countFrom + options.seconds * 1_000
let counted = 0

async function worker(): Promise<void> {
  while (performance.now() < endAt) {
    const startedAt = performance.now()
    await pay()
    if (startedAt >= countFrom && performance.now() <= endAt) counted += 1
  }
}

await Promise.all(Array.from({ length: options.workers }, worker))
await Promise.all([...pools.values()].map((pool) => pool.end()))
process.stdout.write(JSON.stringify({ perSecond: counted / options.seconds }))
