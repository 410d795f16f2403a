import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { runPipeline, type Statement } from '@switchyard/server/kernel/db/pipeline.ts'
import { countCalls } from './count-calls.ts'
import { uuidPattern, type RecordedStatement, type RecordedValue, type Recording } from './recording.ts'

/** Replays the statements of payments and nothing else, to measure what Postgres alone would allow. */
type Options = {
  recordingFile: string
  urls: Record<string, string>
  poolSize: number
  workers: number
  warmUpSeconds: number
  seconds: number
}

type Payment = readonly string[]

// Both are written by initiate.ts.
const options = JSON.parse(process.argv[2] ?? '') as Options
const { groups, freshIds } = JSON.parse(readFileSync(options.recordingFile, 'utf8')) as Recording // as above

const pools = new Map(
  Object.entries(options.urls).map(([role, connectionString]) => [
    role,
    new pg.Pool({ connectionString, max: options.poolSize, pipeline: true }),
  ]),
)
const makers = freshIds.map((id) => (id[14] === '7' ? randomUUIDv7 : randomUUID))

/** Builds a value with the payment's own ids in place of the recorded ones. */
function valueBuilder(value: RecordedValue): (payment: Payment) => unknown {
  if (value === null) return () => null
  if (typeof value !== 'string') {
    const bytes = Buffer.from(value.base64, 'base64')
    return () => bytes
  }
  const between = value.split(uuidPattern)
  const ids = (value.match(uuidPattern) ?? []).map((id) => ({ id, index: freshIds.indexOf(id) }))
  if (ids.every(({ index }) => index < 0)) return () => value
  return (payment) =>
    ids.reduce(
      (text, { id, index }, position) => `${text}${payment[index] ?? id}${between[position + 1]}`,
      between[0] ?? '',
    )
}

function statementBuilder({ text, values }: RecordedStatement): (payment: Payment) => Statement {
  const builders = values.map(valueBuilder)
  return (payment) => ({ sql: text, parameters: builders.map((build) => build(payment)) })
}

const steps = groups.map(({ role, statements }) => {
  const pool = pools.get(role)
  if (!pool) throw new Error(`no URL for ${role}`)
  return { pool, builders: statements.map(statementBuilder) }
})

async function pay(): Promise<void> {
  const payment = makers.map((make) => make())
  for (const { pool, builders } of steps) {
    const client = await pool.connect()
    await runPipeline(
      client,
      builders.map((build) => build(payment)),
    )
    client.release()
  }
}

const counted = await countCalls(pay, options)
await Promise.all([...pools.values()].map((pool) => pool.end()))
console.log(JSON.stringify(counted))
