import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { createHttpClient } from '../../connectors/kit/http-client.ts'
import { AppError, unavailable } from '../../lib/errors.ts'
import { credentialHeaders, memberOf, useApp } from '../../../test/app/test-app.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { App } from '../app.ts'
import { buildServer, type ServerDeps } from '../server.ts'

const t = useApp()
let app: App
let orgId: string
let admin: string
const runs: Record<string, number> = {}
const read = () => t.deps.db.inOrg(orgId, (tx) => sql`select count(*) from members`.execute(tx.db))
const write = () =>
  t.deps.db.inOrg(orgId, (tx) => sql`update organizations set updated_at = now()`.execute(tx.db))
const breakAtCommit = () =>
  t.deps.db.inOrg(orgId, async (tx) => {
    await sql`insert into breaking_commits values (${orgId})`.execute(tx.db)
  })
const callProvider = (method: 'GET' | 'POST') => createHttpClient()({ method, url: `${t.url}/healthz` })
const busy = (): never => {
  throw unavailable('The database is busy. Try again shortly.')
}

/** What a call does before it is answered with 503. */
const steps: Record<string, () => Promise<unknown>> = {
  nothing: async () => busy(),
  'a read': async () => [await read(), busy()],
  'a rolled back write': () =>
    t.deps.db.inOrg(orgId, async (tx) => {
      await sql`update organizations set updated_at = now()`.execute(tx.db)
      busy()
    }),
  'a question to a provider': async () => [await callProvider('GET'), busy()],
  'a write': async () => [await write(), busy()],
  'a batch': async () => [
    await t.deps.db.batchInOrg(orgId, [
      sql`update organizations set updated_at = now()`.compile(t.deps.db.readAcrossOrgs),
    ]),
    busy(),
  ],
  'a batch that only reads': async () => [
    await t.deps.db.batchInOrg(orgId, [sql`select 1`.compile(t.deps.db.readAcrossOrgs)]),
    busy(),
  ],
  'a commit that nobody confirms': breakAtCommit,
  'a call to a provider': async () => [await callProvider('POST'), busy()],
}

/** A server whose only route does a step the first time that it is asked to, and then answers how often it ran. */
const serve = (deps: ServerDeps): Promise<App> =>
  buildServer(
    deps,
    {
      publicUrl: t.url,
      bodyLimitBytes: 1_000,
      trustProxy: [],
      rateLimit: { perSecond: 1_000, burst: 1_000, orgPerSecond: 1_000, orgBurst: 1_000 },
    },
    (routes) => {
      routes.post(
        '/v1/steps',
        {
          config: { access: { permission: 'payments:write' }, control: 'none: it only counts' },
          schema: { body: z.object({ step: z.string() }), response: { 200: z.object({ runs: z.int() }) } },
        },
        async ({ body: { step } }) => {
          runs[step] = (runs[step] ?? 0) + 1
          // Only the first call fails, so that a second one shows whether it was executed.
          if (runs[step] === 1) await steps[step]?.()
          return { runs: runs[step] ?? 0 }
        },
      )
    },
  )

beforeAll(async () => {
  const [org] = t.seed.orgs
  orgId = org!.org_id
  admin = memberOf(org, 'org-admin').api_key
  await t.owner.query(`
    create table breaking_commits (org_id uuid);
    grant insert on breaking_commits to switchyard_app;
    create function break_commit() returns trigger language plpgsql security definer as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger break_commit after insert on breaking_commits
      deferrable initially deferred for each row execute function break_commit()`)
  app = await serve(t.deps)
  return () => app.close()
})

const post = (step: string, to = app) =>
  to.inject({
    method: 'POST',
    url: '/v1/steps',
    headers: { ...credentialHeaders(admin), 'idempotency-key': step.replaceAll(' ', '-') },
    payload: { step },
  })

describe('after a 503', () => {
  it.each([
    'nothing',
    'a read',
    'a rolled back write',
    'a question to a provider',
    'a batch that only reads',
  ])('the key is free when the call did %s', async (step) => {
    expect((await post(step)).statusCode).toBe(503)
    const second = await post(step)
    expect([second.statusCode, second.json()]).toEqual([200, { runs: 2 }])
    const third = await post(step)
    expect([third.json(), third.headers['idempotent-replayed']]).toEqual([{ runs: 2 }, 'true'])
  })

  it.each(['a write', 'a batch', 'a commit that nobody confirms', 'a call to a provider'])(
    'the key stays taken when the call did %s',
    async (step) => {
      expect((await post(step)).statusCode).toBe(503)
      const second = await post(step)
      expect([second.statusCode, second.json().code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
      expect(runs[step]).toBe(1)
    },
  )

  it('the key stays taken while a write of the call has not ended', async () => {
    const started = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    let ending: Promise<unknown> | undefined
    steps['a late write'] = async () => {
      ending = t.deps.db.inOrg(orgId, async (tx) => {
        await sql`update organizations set updated_at = now()`.execute(tx.db)
        started.resolve()
        await answered.promise
      })
      await started.promise
      busy()
    }
    expect((await post('a late write')).statusCode).toBe(503)
    expect((await post('a late write')).statusCode).toBe(409)
    answered.resolve()
    await ending
  })
})

describe('while the database is away', () => {
  const serverOn = (inOrg: Database['inOrg']) => serve({ ...t.deps, db: { ...t.deps.db, inOrg } })
  const lost = () =>
    unavailable(
      'The database is not reachable.',
      Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    )

  it('a claim that was committed although its answer was lost is released', async () => {
    let calls = 0
    const cut = await serverOn(async (org, work) => {
      const result = await t.deps.db.inOrg(org, work)
      calls += 1
      if (calls === 1) throw lost()
      return result
    })
    expect((await post('a lost claim', cut)).statusCode).toBe(503)
    expect((await post('a lost claim')).json()).toEqual({ runs: 1 })
    await cut.close()
  })

  it('the key is released as soon as the database is back', async () => {
    let isAway = false
    steps['a lost connection'] = async () => {
      isAway = true
      busy()
    }
    const away = await serverOn(async (org, work) => {
      if (isAway) throw lost()
      return t.deps.db.inOrg(org, work)
    })
    expect((await post('a lost connection', away)).statusCode).toBe(503)
    expect((await post('a lost connection')).statusCode).toBe(409)
    isAway = false
    await expect
      .poll(async () => (await post('a lost connection')).statusCode, {
        timeout: defaultWaitMs,
        interval: 200,
      })
      .toBe(200)
    await away.close()
  })
})

describe('after another error', () => {
  it('the key stays taken, because a 500 says nothing about what was done', async () => {
    steps['a defect'] = () => Promise.reject(new Error('a defect'))
    expect((await post('a defect')).statusCode).toBe(500)
    expect((await post('a defect')).statusCode).toBe(409)
  })

  it('a refusal is replayed', async () => {
    steps['a refusal'] = () => Promise.reject(new AppError('CONFLICT', 409, 'It is taken.'))
    expect((await post('a refusal')).json().code).toBe('CONFLICT')
    expect((await post('a refusal')).json().code).toBe('CONFLICT')
    expect(runs['a refusal']).toBe(1)
  })
})
