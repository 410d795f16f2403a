import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabase } from '@switchyard/stack/installation/migrated-database.ts'
import type { ReceivedEvent } from '@switchyard/server/test/app/test-receiver.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { gatherEvidence, watchLedger } from './evidence.ts'

let directory: Awaited<ReturnType<typeof scratchDir>>
let postgres: Postgres
let owner: Pool

beforeAll(async () => {
  directory = await scratchDir()
  postgres = await startPostgres({ dataDir: join(directory.path, 'postgres'), port: await freePort() })
  const { ownerUrl } = await migratedDatabase(postgres.url)
  owner = new Pool({ connectionString: ownerUrl })
  // Postgres may close a session first, whether it is idle or in use.
  owner.on('error', () => undefined)
  owner.on('connect', (client) => client.on('error', () => undefined))
  await watchLedger(owner)
})
afterAll(async () => {
  await owner?.end()
  await postgres?.stop()
  await directory?.remove()
})

const at = '2026-11-01T10:00:00.000Z'
const write = (file: string, value: object): void =>
  appendFileSync(join(directory.path, file), `${JSON.stringify(value)}\n`)
const accept = (reference: string): void =>
  write('acceptances.jsonl', {
    kind: 'charge',
    reference,
    provider: 'pawapay',
    providerRef: `p-${reference}`,
    at,
  })
const move = (reference: string, state: string): void =>
  write('pawapay-transactions.jsonl', {
    value: {
      provider: 'pawapay',
      account: 'default',
      operation: 'collect',
      reference,
      providerRef: `p-${reference}`,
      method: 'mobile_money',
      amount: '50',
      currency: 'KES',
      state,
      webhooks: 'once',
      plan: [],
      details: {},
      createdAt: at,
      updatedAt: at,
    },
  })
const event = (id: string): ReceivedEvent => ({
  path: '/',
  headers: { 'webhook-id': id },
  body: '',
  atMs: 0,
})

test('evidence gathered while work is in progress has no effect without its cause', async () => {
  accept('first')
  move('first', 'pending')
  const received = [event('first')]
  const whileReading = {
    async connect() {
      accept('second')
      move('first', 'completed')
      received.push(event('second'))
      return owner.connect()
    },
  }
  const evidence = await gatherEvidence({
    installation: { owner: whileReading, simulatorDir: directory.path },
    receivers: { receiver: { received } },
  })
  // Acceptances and received events are read before the records; provider transactions after them.
  expect(evidence.acceptances.map(({ reference }) => reference)).toEqual(['first'])
  expect(evidence.received.map(({ headers }) => headers['webhook-id'])).toEqual(['first'])
  expect(evidence.histories.get('first')).toEqual(new Set(['pending', 'completed']))
})

test('the records come from one snapshot', async () => {
  let reads = 0
  const client = await owner.connect()
  const interrupted = {
    async connect() {
      const query = client.query.bind(client)
      return Object.assign(Object.create(client) as typeof client, {
        async query(text: string) {
          const result = await query(text)
          reads += 1
          if (reads === 2) await owner.query(`insert into crash_rewritten values ('late')`)
          return result
        },
      })
    },
  }
  const evidence = await gatherEvidence({
    installation: { owner: interrupted, simulatorDir: directory.path },
    receivers: { receiver: { received: [] } },
  })
  expect(reads).toBeGreaterThan(2)
  expect(evidence.rewrittenEntries).toEqual([])
})
