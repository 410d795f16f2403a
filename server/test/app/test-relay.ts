import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { defaultWaitMs, waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { enqueue, type Job } from '../../src/kernel/engine/outbox.ts'
import type { Relay, RelayOptions } from '../../src/kernel/engine/relay.ts'
import { startIngressStandIn, type IngressStandIn } from './ingress-stand-in.ts'
import { startTestApp, type TestApp } from './test-app.ts'
import { startTestRelay } from './test-worker.ts'

export interface StoredRow {
  attempts: number
  wait_seconds: number | null
}

interface RelayBench {
  readonly app: TestApp
  /** Replaces the engine; each test has a new one. */
  readonly engine: IngressStandIn
  start(changes?: Partial<RelayOptions>): Relay
  stopAll(): Promise<void>
  put(change?: Partial<Job>): Promise<string>
  stored(): Promise<StoredRow[]>
  untilListening(): Promise<unknown>
  untilEmpty(): Promise<unknown>
}

const job: Job = { service: 'Things', handler: 'do', payload: { thingId: 'one' } }

/** A fixture for tests of the relay: an app, an empty outbox per test, and relays that stop with their test. */
export function setUpRelayBench(): RelayBench {
  let app: TestApp
  let engine: IngressStandIn
  const running: Relay[] = []
  const stopAll = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((relay) => relay.stop()))
  }
  const stored = async (): Promise<StoredRow[]> => {
    const columns = 'attempts, extract(epoch from leased_until - now())::float8 as wait_seconds'
    return (await app.owner.query<StoredRow>(`select ${columns} from outbox`)).rows
  }
  beforeAll(async () => {
    app = await startTestApp()
  })
  beforeEach(async () => {
    await app.owner.query('delete from outbox')
    engine = await startIngressStandIn()
  })
  afterEach(async () => {
    await stopAll()
    await engine.close()
  })
  afterAll(() => app.close())
  return {
    get app() {
      return app
    },
    get engine() {
      return engine
    },
    start(changes = {}) {
      const relay = startTestRelay(app, { ingress: engine.ingress, ...changes })
      running.push(relay)
      return relay
    },
    stopAll,
    put(change = {}) {
      const orgId = app.seed.orgs[0]!.org_id
      return app.deps.db.inOrg(orgId, (tx) => enqueue(tx, orgId, { ...job, ...change }))
    },
    stored,
    untilListening: () => until('the relay to listen', () => isListening(app)),
    untilEmpty: () => until('an empty outbox', async () => (await stored()).length === 0),
  }
}

export const until = <Result>(
  what: string,
  condition: () => Result | Promise<Result>,
  timeoutMs = defaultWaitMs,
): Promise<NonNullable<Result>> => waitUntil(condition, { timeoutMs, what, intervalMs: 5 })

async function isListening(app: TestApp): Promise<boolean> {
  const { rowCount } = await app.owner.query(
    `select from pg_stat_activity
     where datname = current_database() and query like 'listen %' and state = 'idle'`,
  )
  return rowCount === 1
}
