import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mainFile, startProgram, type Env, type Program } from '@switchyard/stack/programs.ts'
import { paymentEnv, startPaymentWorker } from '../../../../test/processes/processes-payments.ts'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import { credentialHeaders, type Json } from '../../../../test/app/test-app.ts'
import {
  bankPayout,
  installationAccountId,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { nairaRows, openBatches, type BatchOrg } from '../../products/payout-batches/testing/test-batches.ts'
import { addSecondRoute, lift, trySuspending } from './testing/suspend-as-operator.ts'

const rows = 150
const second = 1_000
const longest = 90 * second
/** As in an installation: under this load a machine needs longer than the deadline of other tests. */
const patience = { SEND_DEADLINE_MS: '45000' }

const t = usePayments({ delayMs: untilSettled })
let org: BatchOrg
let urls: string[]
const programs: Program[] = []
beforeAll(async () => {
  await addSecondRoute(t)
  org = await openBatches(t)
  urls = await Promise.all([0, 1, 2].map(startApi))
  for (const _ of [0, 1]) programs.push(await startPaymentWorker(t, patience))
}, longest)
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  await expectCleanAudit(t)
}, longest)

async function startApi(): Promise<string> {
  const env: Env = { ...(await paymentEnv(t)), ...patience, DATABASE_POOL_SIZE: '8' }
  const program = await startProgram(mainFile('api'), env)
  programs.push(program)
  const url = `http://127.0.0.1:${env['API_PORT']}`
  await program.untilReady(`${url}/readyz`)
  return url
}

async function request(url: string, as: string, call: { path: string; body?: Json }): Promise<Json> {
  const response = await fetch(`${url}${call.path}`, {
    method: call.body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...credentialHeaders(as) },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  })
  return { status: response.status, body: await response.json() }
}

/** Payouts through every api, one after the other in each, until it is stopped; returns the answers. */
function payoutsOnEveryApi(): { stop(): Promise<Json[]> } {
  let isStopped = false
  const answers: Json[] = []
  const loops = urls.map(async (url) => {
    const call = { path: '/v1/payments-init/initiate', body: bankPayout(org.banked) }
    while (!isStopped) {
      const askedAt = performance.now()
      answers.push({ askedAt, ...(await request(url, org.credential, call)) })
      await delay(20)
    }
  })
  return {
    async stop() {
      isStopped = true
      await Promise.all(loops)
      return answers
    },
  }
}

const attempts = async (where = 'true', values: unknown[] = []): Promise<number> => {
  const text = `select from attempts where org_id = '${org.orgId}' and ${where}`
  return (await t.owner.query(text, values)).rowCount ?? 0
}
const sent = (provider?: string): number =>
  t.simulator
    .log()
    .filter((entry) => entry.kind === 'payout' && (provider === undefined || entry.provider === provider))
    .length

/** Suspends while every api and a batch send, and shows that nothing more is written or sent from the answer on. */
async function suspendUnderLoad(
  body: Json,
  counts: { written: (where?: string, values?: unknown[]) => Promise<number>; accepted: () => number },
): Promise<{ suspensionId: string; batchId: string; late: Json[] }> {
  const batchId = await org.create(nairaRows(org.banked, rows))
  const load = payoutsOnEveryApi()
  try {
    const before = counts.accepted()
    await until('the load', async () => counts.accepted() > before + 10, 40 * second)
    const answer = await trySuspending(t, body)
    const answeredAt = performance.now()
    expect(answer.status).toBe(201)
    const { suspension_id: suspensionId, suspended_at: suspendedAt } = answer.body.data
    const written = await counts.written()
    await until('the calls under way', async () => (await attempts(`state = 'sending'`)) === 0, 40 * second)
    const accepted = counts.accepted()
    await delay(second)
    expect(await counts.written()).toBe(written)
    expect(await counts.written(`created_at > $1::timestamptz + interval '1 second'`, [suspendedAt])).toBe(0)
    expect(counts.accepted()).toBe(accepted)
    return { suspensionId, batchId, late: (await load.stop()).filter((one) => one.askedAt > answeredAt) }
  } finally {
    await load.stop()
  }
}

/** Every row has one payment, which was accepted once, and none has failed. */
async function expectWholeBatch(batchId: string): Promise<void> {
  await until('the batch', async () => (await org.batch(batchId)).progress.pending === 0, 40 * second)
  const { rows: failed } = await t.owner.query(
    `select r.state, r.failure_code as "rowCode", p.failure_code as code, a.provider, a.state as attempt, a.outcome_message
     from payout_batch_rows r left join attempts a using (org_id, payment_id) left join payments p using (org_id, payment_id)
     where batch_id = $1 and (r.state = 'failed' or p.status = 'failed')`,
    [batchId],
  )
  expect(failed).toEqual([])
  expect((await org.batch(batchId)).progress).toMatchObject({ failed: 0, in_progress: rows })
  const { rows: found } = await t.owner.query<{ reference: string }>(
    `select reference from attempts join payout_batch_rows using (org_id, payment_id) where batch_id = $1`,
    [batchId],
  )
  const references = new Set(found.map(({ reference }) => reference))
  const accepted = () => t.simulator.log().filter(({ reference }) => references.has(reference))
  await until('the last row', async () => accepted().length >= rows, 20 * second)
  expect([references.size, accepted().length]).toEqual([rows, rows])
}

it(
  'an organisation, with a batch that two workers send: nothing leaves, and nothing is lost',
  async () => {
    const body = { kind: 'organization', subject_id: org.orgId }
    const { suspensionId, batchId, late } = await suspendUnderLoad(body, {
      written: attempts,
      accepted: sent,
    })
    expect(late.length).toBeGreaterThan(3)
    expect(new Set(late.map((one) => one.body.code))).toEqual(new Set(['ORGANIZATION_SUSPENDED']))
    expect((await org.batch(batchId)).status).toBe('sending')
    await lift(t, suspensionId)
    await expectWholeBatch(batchId)
  },
  longest,
)

it(
  'all payouts of the installation: nothing leaves, and nothing is lost',
  async () => {
    const { suspensionId, batchId, late } = await suspendUnderLoad(
      { kind: 'payouts' },
      { written: attempts, accepted: sent },
    )
    expect(new Set(late.map((one) => one.body.code))).toEqual(new Set(['PAYOUTS_SUSPENDED']))
    await lift(t, suspensionId)
    await expectWholeBatch(batchId)
  },
  longest,
)

it(
  'a provider account: nothing more is sent through it, the next one takes over',
  async () => {
    const provider = (
      await t.owner.query<{ provider: string }>(`select provider from attempts where org_id = $1 limit 1`, [
        org.orgId,
      ])
    ).rows[0]!.provider
    const accountId = await installationAccountId(t, provider)
    const { suspensionId, batchId, late } = await suspendUnderLoad(
      { kind: 'provider_account', subject_id: accountId },
      {
        written: (where = 'true', values = []) =>
          attempts(`account_id = '${accountId}' and ${where}`, values),
        accepted: () => sent(provider),
      },
    )
    expect(new Set(late.map((one) => one.status))).toEqual(new Set([200]))
    await expectWholeBatch(batchId)
    await lift(t, suspensionId)
  },
  longest,
)

it(
  'a member and a key: every api refuses them from the answer on, and takes them again',
  async () => {
    const person = await addPerson(t, org.orgId, 'org-admin')
    const made = await t.call('POST', '/v1/public/api-keys', { as: person.token, body: { name: 'a key' } })
    const { api_key: key, api_key_id: keyId } = made.body.data
    const read = { path: `/v1/organizations/${org.orgId}` }
    const statuses = (as: string): Promise<number[]> =>
      Promise.all(urls.map(async (url) => (await request(url, as, read)).status))
    const ofKey = await trySuspending(t, { kind: 'api_key', org_id: org.orgId, subject_id: keyId })
    expect([await statuses(key), await statuses(person.token)]).toEqual([
      [401, 401, 401],
      [200, 200, 200],
    ])
    const target = { kind: 'member', org_id: org.orgId, subject_id: person.userId }
    const ofMember = await trySuspending(t, target)
    expect(await statuses(person.token)).toEqual([401, 401, 401])
    await lift(t, ofKey.body.data.suspension_id)
    expect(await statuses(key)).toEqual([401, 401, 401])
    await lift(t, ofMember.body.data.suspension_id)
    expect([await statuses(key), await statuses(person.token)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ])
  },
  longest,
)
