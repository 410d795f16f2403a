import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { Registry } from 'prom-client'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { AppError } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import { useApp, type Json } from '../../../test/app/test-app.ts'
import { engineOf, queryEngine, startTestWorker, type TestWorker } from '../../../test/app/test-worker.ts'
import { enqueue } from './outbox.ts'
import { watchPausedJobs } from './paused-jobs.ts'
import {
  defineService,
  isFinal,
  type EngineScope,
  type WorkflowContext,
  type WorkflowHandler,
} from './service.ts'

const personal = 'ada.lovelace@example.test'
const quick = { attempts: 3, firstDelayMs: 20, longestDelayMs: 40 }

const app = useApp()
let worker: TestWorker | undefined
let services = 0

afterEach(async () => {
  await worker?.stop()
  worker = undefined
})

interface StartedService {
  name: string
  invocation(): Promise<Json>
  until(status: string): Promise<Json>
}

/** A service with one handler and one job for it. */
async function startJob(
  run: (context: WorkflowContext, input: object) => Promise<void>,
  change: {
    payload?: Record<string, string>
    port?: number
    scope?: EngineScope
  } & Partial<WorkflowHandler<object>> = {},
): Promise<StartedService> {
  const { payload = {}, port, scope = engineOf(app), ...handler } = change
  const name = `Trial${++services}`
  const input = z.object({ id: z.uuid().optional() })
  const service = defineService<{ go: object }>(scope, name, { go: { input, run, ...handler } })
  worker = await startTestWorker(app, { services: [service], ...(port !== undefined && { port }) })
  const orgId = app.seed.orgs[0]!.org_id
  await app.deps.db.inOrg(orgId, (tx) => enqueue(tx, orgId, { service: name, handler: 'go', payload }))
  const invocation = async (): Promise<Json> => {
    const where = `where target_service_name = '${scope.namespace}${name}'`
    const [row] = await queryEngine(app, `select * from sys_invocation ${where}`)
    return row
  }
  const until = (status: string): Promise<Json> =>
    waitUntil(
      async () => {
        const found = await invocation()
        return found?.status === status && found
      },
      { what: `the job to be ${status}` },
    )
  return { name: `${scope.namespace}${name}`, invocation, until }
}

/** Everything that the engine stores about a job, including its journal and the events of its failures. */
async function storedText(invocationId: string): Promise<string> {
  const tables = ['sys_invocation', 'sys_journal', 'sys_journal_events']
  const rows = await Promise.all(
    tables.map((table) => queryEngine(app, `select * from ${table} where id = '${invocationId}'`)),
  )
  const text = JSON.stringify(rows)
  // Raw entries come as bytes in hexadecimal.
  const raw = [...text.matchAll(/"raw":"([0-9a-f]+)"/g)].map(([, hex]) =>
    Buffer.from(hex!, 'hex').toString('latin1'),
  )
  return [text, ...raw].join('\n')
}

test('a step that succeeded is not run again when a later one fails', async () => {
  const ran = { first: 0, second: 0 }
  const job = await startJob(async (context) => {
    await context.step('first', quick, async () => void (ran.first += 1))
    await context.step('second', quick, async () => {
      ran.second += 1
      if (ran.second < 3) throw new Error('not yet')
    })
  })
  expect(await job.until('completed')).toMatchObject({ completion_result: 'success' })
  expect(ran).toEqual({ first: 1, second: 3 })
})

test('a step is attempted as often as its policy allows and then ends the job', async () => {
  let ran = 0
  const job = await startJob((context) =>
    context.step('fails', quick, async () => {
      ran += 1
      throw new Error('always')
    }),
  )
  expect(await job.until('completed')).toMatchObject({ completion_result: 'failure' })
  expect(ran).toBe(3)
})

test('an AppError below 500 is final at once, and the workflow may handle it', async () => {
  let ran = 0
  let acted = false
  const job = await startJob(async (context) => {
    try {
      await context.step('fails', quick, async () => {
        ran += 1
        throw new AppError('PROVIDER_REFUSED', 422, `The card of ${personal} was refused.`)
      })
    } catch (error) {
      acted = isFinal(error)
      throw error
    }
  })
  expect(await job.until('completed')).toMatchObject({ completion_failure: '[422] PROVIDER_REFUSED' })
  expect({ ran, acted }).toEqual({ ran: 1, acted: true })
})

test('an AppError of 500 and above is retried', async () => {
  let ran = 0
  const job = await startJob((context) =>
    context.step('fails once', quick, async () => {
      ran += 1
      if (ran === 1) throw new AppError('SERVICE_UNAVAILABLE', 503, 'Try again.')
    }),
  )
  expect(await job.until('completed')).toMatchObject({ completion_result: 'success' })
  expect(ran).toBe(2)
})

test('repeat runs again after the delay that the run returns, until it returns none', async () => {
  const ranAtMs: number[] = []
  const waitsMs = [50, 0]
  const job = await startJob((context) =>
    context.repeat('look', async (round) => {
      ranAtMs[round] ??= performance.now()
      return waitsMs[round]
    }),
  )
  expect(await job.until('completed')).toMatchObject({ completion_result: 'success' })
  expect(ranAtMs).toHaveLength(3)
  expect(ranAtMs[1]! - ranAtMs[0]!).toBeGreaterThanOrEqual(45)
})

test('a process that does not know its clock to be right has the engine count the delay', async () => {
  const ranAtMs: number[] = []
  const waitsMs = [300, 0]
  const hours = 3_600_000
  const original = Date.now
  // As ahead as a machine whose time was set by hand; without the engine the job would wait for an hour.
  const ahead = vi.spyOn(Date, 'now').mockImplementation(() => original() + hours)
  try {
    const job = await startJob(
      (context) =>
        context.repeat('look', async (round) => {
          ranAtMs[round] ??= performance.now()
          return waitsMs[round]
        }),
      { scope: { ...engineOf(app), isClockRight: () => false } },
    )
    await waitUntil(() => ranAtMs.length === 3, { what: 'the last round' })
    expect(ranAtMs[1]! - ranAtMs[0]!).toBeGreaterThanOrEqual(290)
    expect(job.name).toContain('Trial')
  } finally {
    ahead.mockRestore()
  }
})

test('a long repeat continues as a new job, with the same input and the next round', async () => {
  const seen: string[] = []
  const id = randomUUID()
  const job = await startJob(
    (context, input) =>
      context.repeat('look', async (round) => {
        seen.push(`${round} ${JSON.stringify(input)}`)
        return round < 45 ? 1 : undefined
      }),
    { payload: { id } },
  )
  const journals = await waitUntil(
    async () => {
      const rows = await queryEngine(
        app,
        `select i.id, i.status, count(*) as entries from sys_invocation i join sys_journal j on j.id = i.id
         where i.target_service_name = '${job.name}' group by i.id, i.status`,
      )
      return rows.length === 3 && rows.every(({ status }) => status === 'completed') ? rows : undefined
    },
    { what: 'three jobs to be completed' },
  )
  expect(seen).toEqual(Array.from({ length: 46 }, (_, round) => `${round} ${JSON.stringify({ id })}`))
  for (const { entries } of journals) expect(entries).toBeLessThan(90)
})

test('a sleeping job is suspended within seconds, and resumes', async () => {
  let ran = 0
  const job = await startJob((context) =>
    context.repeat('look', async () => {
      ran += 1
      return ran === 1 ? 6_000 : undefined
    }),
  )
  await job.until('suspended')
  expect(await job.until('completed')).toMatchObject({ completion_result: 'success' })
  expect(ran).toBe(2)
})

test('untilDone pauses the job for manual review after its last attempt', async () => {
  let ran = 0
  const job = await startJob(
    (context) =>
      context.untilDone('never', async () => {
        ran += 1
        throw new Error('always')
      }),
    { retries: quick },
  )
  await job.until('paused')
  expect(ran).toBe(3)
})

test('a paused job appears in the metrics and in the log', async () => {
  const job = await startJob(
    (context) => context.untilDone('never', () => Promise.reject(new Error('always'))),
    { retries: quick },
  )
  const lines: string[] = []
  const registry = new Registry()
  const watch = watchPausedJobs({
    adminUrl: app.config.ENGINE_ADMIN_URL!,
    namespace: app.config.ENGINE_NAMESPACE,
    registry,
    log: createLog(
      'info',
      new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }),
    ),
    checkEveryMs: 50,
  })
  const series = `switchyard_engine_paused_jobs{service="${job.name}"} 1`
  await waitUntil(async () => (await registry.metrics()).includes(series), {
    what: series,
  })
  watch.stop()
  expect(lines.join('')).toContain('jobs are paused in the engine')
})

test('input that does not match its schema ends the job without running it, and is not quoted', async () => {
  let ran = 0
  const job = await startJob(async () => void (ran += 1), { payload: { id: 'no uuid' } })
  const invocation = await job.until('completed')
  expect(invocation.completion_failure).toBe('[400] the input does not match its schema')
  expect(ran).toBe(0)
})

test.each([
  ['an error', () => new Error(`550 <${personal}> is nobody here`)],
  ['an error with a code', () => Object.assign(new Error(personal), { code: 'EENVELOPE' })],
  [
    'an error whose name and code hold data',
    () => Object.assign(new Error('x'), { name: personal, code: personal }),
  ],
  ['an AppError', () => new AppError('PROVIDER_REFUSED', 422, personal)],
  [
    'an AppError that is retried',
    () => new AppError('SERVICE_UNAVAILABLE', 503, personal, { cause: new Error(personal) }),
  ],
  ['a value that is no error', () => personal],
])('%s thrown inside or outside a step leaves nothing personal in the engine', async (_name, thrown) => {
  const fail = async (): Promise<void> => {
    // oxlint-disable-next-line typescript/only-throw-error -- libraries throw other values too
    throw thrown()
  }
  const inside = await startJob((context) => context.step('fails', quick, fail))
  const { id } = await inside.until('completed')
  const text = await storedText(id)
  expect(text).toContain('fails')
  expect(text).not.toContain('ada.lovelace')
  await worker?.stop()

  const outside = await startJob(fail, { retries: quick })
  const ended = await waitUntil(
    async () => {
      const found = await outside.invocation()
      return (found?.status === 'paused' || found?.status === 'completed') && found
    },
    { what: 'the job to end' },
  )
  expect(await storedText(ended.id)).not.toContain('ada.lovelace')
})

test('a step that throws before it returns a promise is treated the same', async () => {
  const job = await startJob((context) =>
    context.step('fails', quick, () => {
      throw new Error(personal)
    }),
  )
  const { id } = await job.until('completed')
  expect(await storedText(id)).not.toContain('ada.lovelace')
})

test('a job that sleeps while its worker is replaced resumes on the next worker where it stopped', async () => {
  const port = await freePort()
  const ran = { before: 0, after: 0 }
  const run = async (context: WorkflowContext): Promise<void> => {
    await context.step('before', quick, async () => void (ran.before += 1))
    await context.sleep(1_500)
    await context.step('after', quick, async () => void (ran.after += 1))
  }
  const job = await startJob(run, { port })
  await waitUntil(() => ran.before === 1, { what: 'the first step' })
  await worker?.stop()
  const name = job.name.slice(app.config.ENGINE_NAMESPACE.length)
  const service = defineService<{ go: object }>(engineOf(app), name, {
    go: { input: z.object({}), run },
  })
  worker = await startTestWorker(app, { services: [service], port })
  expect(await job.until('completed')).toMatchObject({ completion_result: 'success' })
  expect(ran).toEqual({ before: 1, after: 1 })
})
